import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { type ConformanceOptions, runConformance } from '../../../../scripts/testing/conformance/run.ts';
import type { Phase } from '../../../../scripts/testing/conformance/session.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { content, contractOf, documentOf, integer, object, string } from '../../../support/documents.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { startListening } from '../../../support/start-listening.ts';
import { type ArchiveFault, archiveFaults } from './archive-faults.ts';
import { archiveCredentials } from './archive-server.ts';
import { conformanceOfArchive } from './conformance-of.ts';

function tried(fault: ArchiveFault | undefined, options: Partial<ConformanceOptions> = {}) {
  // Each request without a response waits for the time-out, so a few suffice.
  const silent = { phases: ['random'] as const, timeoutMs: 500 };
  return conformanceOfArchive(fault ? [fault] : [], {
    ...(fault === 'never responds for odd collections' ? silent : {}),
    ...{ seed, runs: isLong ? 50 : 3 },
    ...options,
  });
}

test.each(Array.from({ length: isLong ? 20 : 1 }, (_, index) => seed + index))(
  'reports nothing about the conforming service, with the seed %i',
  async (own) => {
    const { found, gaps, operations } = await tried(undefined, { seed: own });
    expect(found).toEqual([]);
    expect([gaps.neverAccepted, gaps.unmade]).toEqual([[], []]);
    const made = (id: string) => Object.keys(operations.find((each) => each.id === id)?.checks ?? {});
    // Only the OpenAPI link of `addRoom` shows where a new shelf can be read. The two paths alone do not show it.
    expect(made('getShelf')).toContain('found-after-creation');
    for (const { id } of operations)
      expect(made(id)).toEqual(expect.arrayContaining(['requires-auth', 'status-documented']));
  },
);

test('reports nothing about it if each request has another tenant', async () => {
  const { 'X-Tenant': _tenant, ...headers } = archiveCredentials;
  const { found } = await tried(undefined, { credentials: { headers, query: {} } });
  expect(found).toEqual([]);
});

// Half of the faults; `npm run test:long` tests all of them, each with all operations. Tests below have two of them.
const tested = ['shows a write-only property', 'accepts too many shelves'];
const some = Object.entries(archiveFaults).filter(
  ([fault], index) => isLong || (index % 2 === 0 && !tested.includes(fault)),
);
const collections = ['/collections', '/collections/{id}'];
const boxes = ['createCollection', 'createBox'];
const objects = [...boxes, 'createObject', 'getObject', 'replaceObject', 'deleteObject'];
/** The operations that find a fault of an operation: the others only take time. */
const operationsFor = (operation: string): string[] => {
  if (/Collections?$/.test(operation)) return collections;
  return { createBox: boxes, getObject: objects, uploadScan: [...objects, 'uploadScan'] }[operation] ?? [];
};

test.each(some)('finds that a service %s', async (fault, [operation, check]) => {
  const { found } = await tried(fault as ArchiveFault, { only: isLong ? [] : operationsFor(operation) });
  expect(found).toContainEqual(expect.stringContaining(`${operation} ${check}: `));
});

test('names a write-only property as the middleware does', async () => {
  const { found } = await tried('shows a write-only property', { only: objects });
  expect(found).toContain('getObject body: the body of 200 is invalid: /remark is write-only');
});

test.each([
  ['examples', 'accepts any token', "-H 'Authorization: Bearer wrong-credentials'", collections],
  ['boundaries', 'accepts too many shelves', '"shelves":501', collections],
  // Boxes are in collections, which the phase must create.
  ['boundaries', 'returns 500 for long labels', '/boxes', boxes],
  ['stateful', 'ignores deletions', '/collections/', collections],
  // A repeated create needs no other operation.
  ['stateful', 'ignores the idempotency key', '/collections', ['createCollection']],
] as [Phase, ArchiveFault, string, string[]][])(
  'the phase %s alone finds that a service %s',
  async (phase, fault, inLine, only) => {
    const { findings } = await tried(fault, { phases: [phase], runs: 60, only });
    expect(findings.map(({ curl }) => curl).join()).toContain(inLine);
  },
);

test('reads a list again after creates below the same resource, and names lists that were always empty', async () => {
  const given = { phases: ['stateful'] as const, only: ['listObjects'] };
  const { found } = await tried('returns another type two levels down', given);
  expect(found).toContainEqual(expect.stringContaining('listObjects body: '));
  const { gaps } = await tried(undefined, { only: ['listCollections'], exclude: ['createCollection'] });
  expect(gaps.alwaysEmpty).toEqual(['listCollections']);
});

test('sends boundary values to an existing resource, also if the request before has deleted one', async () => {
  const { operations } = await tried(undefined, { phases: ['boundaries'], only: ['deleteCollection'] });
  expect(operations[0]?.valid?.accepted).toBeGreaterThan(1);
});

test('the phase random alone shrinks a failing request, and prints it as a curl command without credentials', async () => {
  const { findings } = await tried('returns 500 for long labels', {
    ...{ phases: ['random'], runs: 60, only: boxes },
  });
  const { curl, message } = findings.find(({ operation }) => operation === 'createBox') ?? expect.fail();
  expect(message).toBe('the service returned 500');
  expect(curl).toMatch(
    /^curl -i --path-as-is -X POST .*-H "Authorization: \$AUTHORIZATION".* --data-binary '/,
  );
  const body = JSON.parse(/--data-binary '(.*)' '/.exec(curl)?.[1]?.replaceAll("'\\''", "'") ?? '');
  expect(Object.keys(body)).toEqual(['label']);
  expect([...body.label]).toHaveLength(13);
});

test('the same seed generates the same requests', async () => {
  const run = () => tried('accepts too many shelves', { phases: ['random'], only: collections });
  const [one, two] = [await run(), await run()];
  expect(one.findings.length).toBeGreaterThan(0);
  expect(two.requests).toBe(one.requests);
  const curls = ({ findings }: typeof one) =>
    findings.map(({ curl }) => curl.replaceAll(/127\.0\.0\.1:\d+|Idempotency-Key: [^']*/g, ''));
  expect(curls(two)).toEqual(curls(one));
});

const product = content(object({ name: string, price: { type: 'number', minimum: 0 } }, 'name'));
const responses = (status: number) => ({ [status]: { description: 'Yes.', ...product } });
const byId = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
  get: { operationId: 'getProduct', responses: { ...responses(200), 404: { description: 'No.' } } },
  put: { operationId: 'putProduct', requestBody: product, responses: responses(200) },
};
const post = { operationId: 'addProduct', requestBody: product, responses: responses(201) };
const contract = contractOf(documentOf({ '/products': { post }, '/products/{id}': byId }));

/** Tests a service that stores what `stored` returns. @returns the messages on what is read back */
async function faultsOf(stored: (product: { price?: number }) => object): Promise<string[]> {
  const products: object[] = [];
  const app = express().use(express.json({ strict: false }));
  app.post('/products', ({ body }, res) => {
    const id = products.push(stored(body)) - 1;
    res.status(201).json({ ...products[id], id });
  });
  app.get('/products/:id', ({ params }, res) => {
    const found = products[Number(params.id)];
    if (found) res.json(found);
    else res.sendStatus(404);
  });
  app.put('/products/:id', ({ params, body }, res) => {
    products[Number(params.id)] = stored(body);
    res.json(products[Number(params.id)]);
  });
  const base = await startListening(app);
  const { send, close } = createRequestSender(base, 5_000);
  onTestFinished(close);
  const credentials = { headers: {}, query: {} };
  const given = { contract, send, base, credentials, only: [], runs: 60, seed: 7 };
  const { findings } = await runConformance({ ...given, phases: ['stateful'] });
  return findings.flatMap(({ check, message }) => (check.startsWith('keeps-') ? message : []));
}

test('tells a value that is read back as 0 from a property that is missing', async () => {
  expect(await faultsOf((product) => ({ ...product, price: 0 }))).toContain(
    'the new resource of /products is read back with another price than the create was sent',
  );
  expect(await faultsOf(({ price: _price, ...product }) => product)).toContain(
    'the new resource of /products is read back without price, which the create was sent',
  );
});

test('accepts prices that the service rounds, such as 1e-230 to 0', async () => {
  const round = ({ price }: { price?: number }) =>
    price === undefined ? {} : { price: Number(price.toFixed(2)) };
  expect(await faultsOf((product) => ({ ...product, ...round(product) }))).toEqual([]);
});
