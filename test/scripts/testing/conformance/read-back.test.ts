import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { startListening } from '../../../support/start-listening.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const properties = { name: { type: 'string' }, price: { type: 'number', minimum: 0 } };
const product = json({ type: 'object', required: ['name'], properties });
const responses = (status: number) => ({ [status]: { description: 'Yes.', ...product } });
const byId = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
  get: { operationId: 'getProduct', responses: { ...responses(200), 404: { description: 'No.' } } },
  put: { operationId: 'putProduct', requestBody: product, responses: responses(200) },
};
const contract = contractOf({
  openapi: '3.1.1',
  info: { title: 'Products', version: '1.0.0' },
  paths: {
    '/products': { post: { operationId: 'addProduct', requestBody: product, responses: responses(201) } },
    '/products/{id}': byId,
  },
});

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
  const given = {
    credentials: { headers: {}, query: {} },
    phases: ['stateful'] as const,
    only: [],
    runs: 60,
  };
  const { findings } = await runConformance({ contract, send, base, ...given, seed: 7 });
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
  expect(
    await faultsOf(({ price, ...product }) => ({
      ...product,
      ...(price === undefined ? {} : { price: Number(price.toFixed(2)) }),
    })),
  ).toEqual([]);
});
