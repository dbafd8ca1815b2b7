import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { compileDocument } from '../../../../scripts/package/compile-document.ts';
import { contract } from '../../../../scripts/runtime-package/express.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { writeDocument } from '../../../support/load-document.ts';
import { readYaml } from '../../../support/read-yaml.ts';
import { startListening } from '../../../support/start-listening.ts';

interface ReportedRequest {
  /** The method and the path. */
  send: string;
  headers?: Record<string, string>;
  body?: unknown;
  status: number | number[] | 'invalid';
  seen?: unknown;
  /** A pattern of the response's text. */
  text?: string;
  /** Headers of the response. */
  head?: Record<string, string>;
}

interface Report {
  source: string;
  engines?: string[];
  openapi?: string;
  swagger?: string;
  /** Operations by method and path, in the order of the document. */
  operations: Record<string, { body?: unknown }>;
  components?: object;
  /** The body of every response, if it is not what was received. */
  responds?: unknown;
  requests: ReportedRequest[];
}

const reports: Record<string, Report> = readYaml(import.meta.dirname, 'reports.yaml');

/** Completes the document of a report. */
function documentOf({ swagger, openapi = '3.1.0', operations, components = {} }: Report) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, { body, ...operation }] of Object.entries(operations)) {
    const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(name) ?? [];
    const content = (schema: unknown) => ({ 'application/json': { schema } });
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: name,
        ...(body === undefined ? {} : { requestBody: { required: true, content: content(body) } }),
        responses: { 200: { description: 'Any.', content: content({}) } },
        ...operation,
      },
    };
  }
  const info = { title: 'Case', version: '1' };
  // Swagger 2.0 has no object for its components.
  return swagger === undefined
    ? { openapi, info, paths, components }
    : { swagger, info, paths, ...components };
}

/** Describes values that JSON cannot express. */
function plain(value: unknown): unknown {
  if (value instanceof File) return { file: value.name, size: value.size, type: value.type };
  if (value instanceof Uint8Array) return { bytes: value.length };
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

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
function sendReported(base: string, { send: line, headers = {}, body }: ReportedRequest) {
  const [, method, path] = /^(\S+) (.*)$/.exec(line) ?? [];
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type = body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  const { hostname, port } = new URL(base);
  return new Promise<{ status: number; head: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    send({ hostname, port, method, path, headers: { ...type, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          head: response.headers,
          text: Buffer.concat(chunks).toString(),
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

const cases = Object.entries(reports).flatMap(([name, report]) =>
  (report.engines ?? ['typed', 'middleware']).map((engine) => ({ engine, name, ...report })),
);

describe.each(cases)('$engine: $name ($source)', ({ engine, name, ...report }) => {
  test.each(report.requests)('$send', async (request) => {
    const api = await writeDocument(documentOf(report));
    const base = await servers[engine]?.(api, Object.keys(report.operations), report.responds);
    const { status, head, text } = await sendReported(base ?? '', request);
    expect(request.status === 'invalid' ? [400, 422] : [request.status].flat(), text).toContain(status);
    if (request.text !== undefined) expect(text).toMatch(new RegExp(request.text));
    expect(head).toMatchObject(request.head ?? {});
    // A mock responds with examples, not with what it receives.
    if (request.seen !== undefined && (engine !== 'mock' || name === 'mock-prefer-missing'))
      expect(includes(JSON.parse(text), request.seen), text).toBe(true);
  });
});
