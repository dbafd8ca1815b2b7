import { createServer } from 'node:http';
import express from 'express';
import * as stock from 'express-openapi-validator';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { viewFor } from '../../../../scripts/contract/model/read-write-views.ts';
import type { OpenApiDocument } from '../../../../scripts/lib/openapi-document.ts';
import { operationsOf as testedOperationsOf } from '../../../../scripts/testing/requests/operations.ts';
import {
  anyInvalidValue,
  invalidValuesOf,
} from '../../../../scripts/testing/schema-values/invalid-values.ts';
import {
  createSchemaContext,
  type SchemaContext,
} from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import type { CompiledOperation } from '../../../../server/contract/operation.ts';
import { operationsOf } from '../../../../server/contract/operations.ts';
import { errorFormat, validationError } from '../../../../server/errors.ts';
import { createPipeline } from '../../../../server/http/express/pipeline.ts';
import { stockValidatorOptions } from '../../../../server/validation/second-validator/stock-middleware.ts';
import { locationOf } from '../../../../server/validation/second-validator/stock-refusal.ts';
import { createApiClient, startListening } from '../../../support/http.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { fixturesWith, operationIds, sendValid } from '../../own-contract/valid-requests.ts';
import { type RandomApiRequest, requests } from '../random-requests.ts';

/** The result of validating a request. If the request is accepted, there are no fields. */
interface Verdict {
  accepted: boolean;
  status: number;
  fields: string[];
}

const isPlainNumber = (text: string) => /^(0|-?[1-9]\d*)$/.test(text);
/** Whether a request contains a number in a notation that only our pipeline rejects (D01). */
const hasUnusualNumber = ({ path }: RandomApiRequest): boolean => {
  const url = new URL(path, 'http://here');
  const id = /^\/api\/v1\/(?:contacts|conversations|messages|webhooks)\/(?!search$)(.+)$/.exec(
    url.pathname,
  )?.[1];
  const numbers = [
    id && decodeURIComponent(id),
    url.searchParams.get('page'),
    url.searchParams.get('per_page'),
    url.searchParams.get('messages_before'),
  ];
  return numbers.some((text) => text && !isPlainNumber(text) && Number.isFinite(Number(text)));
};

test('our pipeline and express-openapi-validator agree on generated requests, with the same locations', async () => {
  const validators = await startBoth(document);
  const sample = fc.sample(requests, { numRuns: isLong ? 100_000 : 500, seed });
  const seen = { accepted: 0, refused: 0 };
  await forEachConcurrently(sample, async (request) => {
    const [ours, theirs] = await Promise.all([validators.ours(request), validators.theirs(request)]);
    const told = JSON.stringify(request);
    if (hasUnusualNumber(request)) return expect(ours.accepted, told).toBe(false);
    expect({ told, accepted: ours.accepted }).toEqual({ told, accepted: theirs.accepted });
    seen[ours.accepted ? 'accepted' : 'refused'] += 1;
    // The stock middleware cannot name a property with an empty name, and does not escape the tilde of a JSON
    // Pointer.
    if (ours.accepted || /""\s*:|~/.test(String(request.body))) return;
    // The stock middleware stops at the first unknown parameter; our pipeline names all of them.
    if (theirs.fields[0] === 'query/limit') expect(ours.fields, told).toContain('query/limit');
    else expect({ told, fields: ours.fields }).toEqual({ told, fields: theirs.fields });
  });
  // A generator that only produced valid or only invalid requests would prove nothing.
  expect(seen.accepted).toBeGreaterThan(50);
  expect(seen.refused).toBeGreaterThan(50);
});

test.each(operationIds)(
  'our pipeline and express-openapi-validator agree on generated responses of %s',
  async (id) => {
    const operation = operationsOf(compileContract(document)).find((candidate) => candidate.id === id);
    if (!operation) throw new Error(id);
    const context = createSchemaContext(viewFor('responses', document));
    let current: { status: number; body: unknown } = { status: 200, body: null };
    const theirs = await stockApp(document, (_req, res) => {
      res.status(current.status).json(current.body);
    });
    const api = createApiClient(theirs);
    const fixtures = fixturesWith((index) => index + 1);
    const seen = { accepted: 0, refused: 0 };
    for (const { status, schema } of bodySchemasOf(context, id)) {
      const valid = valuesOf(context, [schema]);
      const invalid = anyInvalidValue(invalidValuesOf(context, schema))?.map(({ value: broken }) => broken);
      // Express sends null as an empty body, which the stock middleware does not validate.
      const bodies = fc
        .oneof(valid, invalid ?? fc.jsonValue(), fc.jsonValue())
        .filter((each) => each !== null);
      for (const body of fc.sample(bodies, { numRuns: isLong ? 500 : 25, seed })) {
        current = { status, body };
        const { headers } = await sendValid(api, id, fixtures);
        const accepted = operation.validateBody(String(status), 'application/json', body).length === 0;
        expect({ status, body, accepted }).toEqual({ status, body, accepted: !headers.has('x-refused') });
        seen[accepted ? 'accepted' : 'refused'] += 1;
      }
    }
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(10);
  },
  60_000,
);

/**
 * Returns the schemas of an operation's response bodies, with their status. Status codes from 500 are left out, because
 * the stock middleware does not validate them.
 */
function bodySchemasOf(context: SchemaContext, id: string) {
  const found = testedOperationsOf(context).find((operation) => operation.id === id);
  return Object.entries(found?.responses ?? {})
    .filter(([status]) => Number(status) < 500)
    .flatMap(([status, { content }]) => content.map(({ schema }) => ({ status: Number(status), schema })));
}

/** Starts our pipeline and the stock middleware for the same contract, each on its own HTTP server. */
async function startBoth(contract: OpenApiDocument) {
  const operations = operationsOf(compileContract(contract));
  const pipeline = createPipeline({
    contract: compileContract(contract),
    errors: errorFormat,
    authenticate: async () => ({ caller: {}, scopes: new Set(operations.flatMap(scopesOf)), headers: {} }),
    // Valid requests get an undocumented status, which our pipeline reports as 50002. This distinguishes them from
    // rejected requests.
    respond: async () => ({ status: 299 }),
  });
  const ours = await startListening(createServer(express().use(pipeline)));
  const theirs = await stockApp(contract, (_req, res) => {
    res.status(299).end();
  });
  const send = (base: string, { path, method = 'GET', headers = {}, body: sent }: RandomApiRequest) =>
    fetch(base + path, {
      method,
      headers: { ...headers, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(typeof sent === 'string' ? { body: sent } : {}),
    });
  return {
    async ours(request: RandomApiRequest): Promise<Verdict> {
      const response = await send(ours, request);
      const told = (await response.json()) as { code: number; message: string; fields: string };
      if (told.code === 50002) return { accepted: true, status: 200, fields: [] };
      return {
        accepted: false,
        status: response.status,
        fields: unescaped(told.fields).split(', ').sort(),
      };
    },
    async theirs(request: RandomApiRequest): Promise<Verdict> {
      const response = await send(theirs, request);
      if (response.status === 299) return { accepted: true, status: 200, fields: [] };
      const { errors } = (await response.json()) as {
        errors: { path: string; message: string; errorCode?: string }[];
      };
      const operation =
        operations.find(({ method, path }) => matches(path, method, request)) ?? operations[0];
      if (!operation) throw new Error('The contract has no operation.');
      const { fields } = validationError(
        errors.map(({ path }) => ({ field: locationOf(operation, path), message: '' })),
      );
      return {
        accepted: false,
        status: response.status,
        fields: unescaped(fields).split(', ').sort(),
      };
    },
  };
}

const scopesOf = ({ security }: CompiledOperation) =>
  security.flatMap((alternative) => Object.values(alternative).flat());
// The stock middleware does not escape unknown names (RFC 6901).
const unescaped = (text: string) => text.replaceAll('~1', '/').replaceAll('~0', '~');

function matches(path: string, method: string, request: RandomApiRequest): boolean {
  const { pathname } = new URL(request.path, 'http://here');
  const shape = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
  return method === (request.method ?? 'GET').toLowerCase() && shape.test(pathname);
}

/** Starts an app with the stock middleware, mounted as documented, with the options of our pipeline. */
async function stockApp(contract: OpenApiDocument, handler: express.RequestHandler): Promise<string> {
  const app = express();
  app.use(express.json({ strict: false, limit: '2mb' }));
  app.use(stock.middleware({ ...stockValidatorOptions(), apiSpec: structuredClone(contract) as never }));
  app.use(handler);
  const failed: express.ErrorRequestHandler = (error, _req, res, _next) => {
    res
      .status(error.status ?? 500)
      .set('x-refused', 'yes')
      .end(JSON.stringify({ errors: error.errors ?? [], message: error.message }));
  };
  app.use(failed);
  return startListening(createServer(app));
}

/** Processes a list with a concurrency of 16. */
async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
