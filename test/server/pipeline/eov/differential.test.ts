import { createServer } from 'node:http';
import express from 'express';
import * as stock from 'express-openapi-validator';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { viewFor } from '../../../../scripts/contract/model/read-write-views.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import {
  anyInvalidValue,
  invalidValuesOf,
} from '../../../../scripts/testing/schema-values/invalid-values.ts';
import {
  createSchemaContext,
  type SchemaContext,
} from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { errorFormat, validationError } from '../../../../server/errors.ts';
import { freshOptions } from '../../../../server/pipeline/eov/compile.ts';
import { compileContract } from '../../../../server/pipeline/eov/validator.ts';
import { toFieldErrors } from '../../../../server/pipeline/field-errors.ts';
import type { CompiledOperation, ContractDocument } from '../../../../server/pipeline/operation.ts';
import { createPipeline } from '../../../../server/pipeline/pipeline.ts';
import { createApiClient, startListening } from '../../../support/http.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { fixturesWith, operationIds, sendValid } from '../../contract/valid-requests.ts';
import { encoded, type RandomApiRequest, requests, value } from '../random-requests.ts';

/** The result of validating a request. If the request is accepted, fields and message are empty. */
interface Verdict {
  accepted: boolean;
  status: number;
  fields: string[];
  message: string;
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

test('our pipeline and express-openapi-validator agree on generated requests, with the same messages', async () => {
  const validators = await startBoth(document);
  const sample = fc.sample(requests, { numRuns: isLong ? 100_000 : 1_500, seed });
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
    if (theirs.message.startsWith('query/limit')) expect(ours.fields, told).toContain('query/limit');
    else
      expect({ told, fields: ours.fields, message: ours.message }).toEqual({
        told,
        fields: theirs.fields,
        message: theirs.message,
      });
  });
  // A generator that only produced valid or only invalid requests would prove nothing.
  expect(seen.accepted).toBeGreaterThan(200);
  expect(seen.refused).toBeGreaterThan(200);
});

test.each([
  [
    'bookshop.yaml',
    fc.oneof(
      fc
        .record(
          {
            shelf: fc.array(value.text, { maxLength: 4 }),
            limit: fc.integer({ min: 0, max: 60 }),
            currency: fc.constantFrom('EUR', 'SEK', 'USD'),
          },
          { requiredKeys: [] },
        )
        .map(({ shelf = [], ...rest }) => {
          const parameters = encoded(rest);
          for (const one of shelf) parameters.append('shelf', one);
          return { path: `/shop/books/9780141439587/copies?${parameters}` };
        }),
      fc.jsonValue().map((sent) => ({
        path: '/shop/books/9780141439587/copies',
        method: 'POST',
        body: JSON.stringify(sent),
      })),
      fc
        .record(
          {
            title: fc.oneof(fc.string(), fc.integer()),
            shelf: fc.string(),
            pages: fc.integer(),
            more: fc.integer(),
          },
          { requiredKeys: ['title'] },
        )
        .map((sent) => ({
          path: '/shop/books/9780141439587/copies',
          method: 'POST',
          body: JSON.stringify(sent),
        })),
    ),
  ],
  [
    'weather.json',
    fc.oneof(
      fc
        .record(
          {
            'between[from]': fc.constantFrom('2026-01-01', '2026-02-30', 'x'),
            'between[to]': fc.constantFrom('2026-01-01', '2026-01-32'),
          },
          { requiredKeys: [] },
        )
        .map((parameters) => ({
          path: `/stations/7/readings?${encoded(parameters)}`,
          headers: { 'x-trace': 'a' },
        })),
      fc
        .constantFrom({}, { 'x-trace': 'abcdefghi' })
        .map((headers) => ({ path: '/stations/7/readings', headers })),
      fc
        .record(
          {
            kind: fc.constantFrom('wind', 'rain', 'snow'),
            speed: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant('fast')),
            depth: fc.integer(),
          },
          { requiredKeys: [] },
        )
        .map((sent) => ({ path: '/stations/7/readings', method: 'PUT', body: JSON.stringify(sent) })),
    ),
  ],
] satisfies [string, fc.Arbitrary<RandomApiRequest>][])(
  'our pipeline and express-openapi-validator agree on requests to another contract: %s',
  async (name, arbitrary) => {
    const validators = await startBoth(
      (await loadContract(`test/scripts/contract/generate/contracts/${name}`)).document,
    );
    const seen = { accepted: 0, refused: 0 };
    await forEachConcurrently(
      fc.sample(arbitrary as fc.Arbitrary<RandomApiRequest>, { numRuns: 400, seed }),
      async (request) => {
        const [ours, theirs] = await Promise.all([validators.ours(request), validators.theirs(request)]);
        const told = JSON.stringify(request);
        expect({ told, accepted: ours.accepted }).toEqual({ told, accepted: theirs.accepted });
        seen[ours.accepted ? 'accepted' : 'refused'] += 1;
      },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20);
  },
);

test.each(operationIds)(
  'our pipeline and express-openapi-validator agree on generated responses of %s',
  async (id) => {
    const operation = (await compileContract(document)).find((candidate) => candidate.id === id);
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
  const found = operationsOf(context).find((operation) => operation.id === id);
  return Object.entries(found?.responses ?? {})
    .filter(([status]) => Number(status) < 500)
    .flatMap(([status, { content }]) => content.map(({ schema }) => ({ status: Number(status), schema })));
}

/** Starts our pipeline and the stock middleware for the same contract, each on its own HTTP server. */
async function startBoth(contract: ContractDocument) {
  const operations = await compileContract(contract);
  const pipeline = await createPipeline({
    document: contract,
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
      if (told.code === 50002) return { accepted: true, status: 200, fields: [], message: '' };
      return {
        accepted: false,
        status: response.status,
        fields: unescaped(told.fields).split(', ').sort(),
        message: sortedWords(told.message),
      };
    },
    async theirs(request: RandomApiRequest): Promise<Verdict> {
      const response = await send(theirs, request);
      if (response.status === 299) return { accepted: true, status: 200, fields: [], message: '' };
      const { errors } = (await response.json()) as {
        errors: { path: string; message: string; errorCode?: string }[];
      };
      const operation =
        operations.find(({ method, path }) => matches(path, method, request)) ?? operations[0];
      if (!operation) throw new Error('The contract has no operation.');
      const findings = errors.map(({ path, message, errorCode = '' }) => ({
        pointer: path,
        keyword: errorCode.replace('.openapi.validation', ''),
        message,
      }));
      const { message, fields } = validationError(toFieldErrors(operation, findings));
      return {
        accepted: false,
        status: response.status,
        fields: unescaped(fields).split(', ').sort(),
        message: sortedWords(message),
      };
    },
  };
}

const scopesOf = ({ security }: CompiledOperation) =>
  security.flatMap((alternative) => Object.values(alternative).flat());
// The stock middleware does not escape unknown names (RFC 6901).
const unescaped = (text: string) => text.replaceAll('~1', '/').replaceAll('~0', '~');
const sortedWords = (message: string) => unescaped(message).replace(/\.$/, '').split('; ').sort().join('; ');

function matches(path: string, method: string, request: RandomApiRequest): boolean {
  const { pathname } = new URL(request.path, 'http://here');
  const shape = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
  return method === (request.method ?? 'GET').toLowerCase() && shape.test(pathname);
}

/** Starts an app with the stock middleware, mounted as documented, with the options of our pipeline. */
async function stockApp(contract: ContractDocument, handler: express.RequestHandler): Promise<string> {
  const app = express();
  app.use(express.json({ strict: false, limit: '2mb' }));
  app.use(stock.middleware({ ...freshOptions(), apiSpec: structuredClone(contract) as never }));
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
