import { writeFile } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { compileDocument } from '../../../../scripts/package/compile-document.ts';
import { contract } from '../../../../scripts/runtime-package/express.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import reports from './reports.json' with { type: 'json' };

/** A request of a public report of a bug in a validator or mock, with the response that the standard demands. */
interface ReportedRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  expect: {
    status?: number | number[];
    /** A part of what the handler receives. `__absent__` stands for a missing property. */
    seen?: unknown;
    text?: string;
    headers?: Record<string, string>;
  };
}

/** Describes values that JSON cannot express. */
function plain(value: unknown): unknown {
  if (value instanceof File) return { file: value.name, size: value.size, type: value.type };
  if (value instanceof Uint8Array) return { bytes: value.length };
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

/** @param responds the body of every response, if it is not what was received */
type Serve = (api: string, ids: string[], responds: unknown) => Promise<string>;

const servers: Record<string, Serve> = {
  async typed(api, ids, responds) {
    const handlers = Object.fromEntries(
      ids.map((id) => [
        id,
        async ({ path, query, headers, body }: Record<string, unknown>) => ({
          status: 200,
          body: responds ?? plain({ path, query, headers, body }),
        }),
      ]),
    );
    return startListening(createServer(express().use(contract(await compileDocument(api), { handlers }))));
  },
  async middleware(api, _ids, responds) {
    const app = express().use(contract(await compileDocument(api)));
    app.use((req, res) => {
      const received: unknown = Reflect.get(req, 'contract');
      const { path, headers } = isObject(received) ? received : {};
      res.json(responds ?? plain({ path, query: req.query, headers, body: req.body }));
    });
    const failed: express.ErrorRequestHandler = (error, _req, res, _next) =>
      void res.status(error.status ?? 500).json({ error: error.message, errors: error.errors });
    return startListening(createServer(app.use(failed)));
  },
  async mock(api) {
    return startListening((await createMockServer({ config: withDefaults({}), api })).server);
  },
};

/** Sends the path as it is: `fetch` would change it. */
function sendReported(base: string, { method = 'GET', path, headers = {}, body }: ReportedRequest) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type = body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  const { hostname, port } = new URL(base);
  return new Promise<{ status: number; text: string; headers: object }>((resolve, reject) => {
    send({ hostname, port, method, path, headers: { ...type, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      );
    })
      .on('error', reject)
      .end(text);
  });
}

/** Whether a value contains another one. */
const includes = (value: unknown, part: unknown): boolean =>
  isObject(part)
    ? isObject(value) &&
      Object.entries(part).every(([name, each]) =>
        each === '__absent__' ? value[name] === undefined : includes(value[name], each),
      )
    : JSON.stringify(value) === JSON.stringify(part);

const cases = reports.flatMap(({ engines, responds, ...report }) =>
  engines.map((engine) => ({ engine, responds, ...report })),
);

describe.each(cases)('$engine: $name ($source)', ({ engine, name, document, requests, responds }) => {
  test.each(requests as ReportedRequest[])('$method $path', async (request) => {
    const api = join(await temporaryFolder(), 'openapi.json');
    await writeFile(api, JSON.stringify(document));
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    const base = await servers[engine]?.(api, ids, responds);
    const { status, text, headers } = await sendReported(base ?? '', request);
    const { seen, ...wanted } = request.expect;
    if (wanted.status !== undefined) expect([wanted.status].flat(), text).toContain(status);
    if (wanted.text !== undefined) expect(text).toMatch(new RegExp(wanted.text));
    for (const [header, shape] of Object.entries(wanted.headers ?? {}))
      expect(String(Reflect.get(headers, header))).toMatch(new RegExp(shape));
    // A mock responds with examples, not with what it receives.
    if (seen !== undefined && (engine !== 'mock' || name === 'mock-prefer-missing'))
      expect(includes(JSON.parse(text), seen), text).toBe(true);
  });
});
