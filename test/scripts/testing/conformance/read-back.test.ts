import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { content, documentOf, integer, object, string } from '../../../support/schemas.ts';
import { startListening } from '../../../support/start-listening.ts';

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
