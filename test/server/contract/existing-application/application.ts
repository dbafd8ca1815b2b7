import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';

interface Item {
  id: number;
  name: string;
  price: number;
}

const item = { $ref: '#/components/schemas/Item' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = (schema: object) => ({ '200': { description: 'Yes.', ...json(schema) }, ...errors });
const problem = { description: 'No.', ...json({ $ref: '#/components/schemas/Problem' }) };
const errors = { '400': problem, '500': problem };
const list = ok({ type: 'array', items: item });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
const body = { required: true, ...json({ $ref: '#/components/schemas/ItemInput' }) };

/** The contract of the shop: 15 operations. */
export const shopContract = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/items': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        responses: list,
      },
      post: { requestBody: body, responses: { '201': { description: 'New.', ...json(item) }, ...errors } },
    },
    '/items/{id}': {
      parameters: [id],
      get: { responses: { ...ok(item), '404': { description: 'None.', ...json({ type: 'object' }) } } },
      put: { requestBody: body, responses: ok(item) },
      delete: { responses: { '204': { description: 'Gone.' }, ...errors } },
    },
    '/items/{id}/price': {
      parameters: [id],
      get: { responses: ok({ type: 'number' }) },
      put: { requestBody: { required: true, ...json({ type: 'number', minimum: 0 }) }, responses: ok(item) },
    },
    '/search': {
      get: {
        parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 2 } }],
        responses: list,
      },
    },
    '/orders': {
      get: { responses: ok({ type: 'array', items: { type: 'object' } }) },
      post: {
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            required: ['items'],
            properties: { items: { type: 'array', minItems: 1, items: { type: 'integer' } } },
          }),
        },
        responses: { '201': { description: 'New.', ...json({ type: 'object' }) }, ...errors },
      },
    },
    '/orders/{id}': { parameters: [id], get: { responses: ok({ type: 'object' }) } },
    '/health': { get: { responses: ok({ type: 'object', required: ['status'] }) } },
    '/version': { get: { responses: ok({ type: 'string' }) } },
    '/stream': { get: { responses: list } },
    '/text': {
      get: {
        responses: {
          '200': { description: 'Yes.', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      ItemInput: {
        type: 'object',
        required: ['name', 'price'],
        additionalProperties: false,
        properties: { name: { type: 'string', minLength: 1 }, price: { type: 'number', minimum: 0 } },
      },
      Item: {
        type: 'object',
        required: ['id', 'name', 'price'],
        properties: { id: { type: 'integer' }, name: { type: 'string' }, price: { type: 'number' } },
      },
      Problem: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    },
  },
} as const;

const unchanged = (given: unknown) => given;

/**
 * Creates an application as it was written for express-openapi-validator: middleware that validates, 15 routes, and an
 * error handler that reads `status` and `errors`.
 * @param validate the middleware that validates; empty for an application without validation
 * @param change changes response bodies, for example so that they violate the contract
 */
export function createShop(validate: readonly RequestHandler[], change = unchanged): Express {
  const items: Item[] = [
    { id: 1, name: 'Tea', price: 3 },
    { id: 2, name: 'Milk', price: 1 },
  ];
  const orders: object[] = [];
  const find = (given: unknown) => items.find((each) => each.id === Number(given));
  const app = express();
  app.use(express.json(), ...validate);
  app.get('/items', (req, res) => void res.json(change(items.slice(0, Number(req.query.limit ?? 10)))));
  app.post('/items', (req, res) => {
    const made = { id: items.length + 1, ...req.body };
    items.push(made);
    res.status(201).json(change(made));
  });
  app.get('/items/:id', (req, res) => {
    const found = find(req.params.id);
    if (found) res.json(change(found));
    else res.status(404).json({ message: 'There is no such item.' });
  });
  app.put('/items/:id', (req, res) => void res.send(change({ id: Number(req.params.id), ...req.body })));
  app.delete('/items/:id', (_req, res) => void res.status(change === unchanged ? 204 : 202).end());
  app.get('/items/:id/price', (req, res) => void res.json(change(find(req.params.id)?.price ?? 0)));
  app.put(
    '/items/:id/price',
    (req, res) => void res.json(change({ id: Number(req.params.id), name: 'Tea', price: 1 })),
  );
  app.get('/search', (_req, res) => void res.json(change(items)));
  app.get('/orders', (_req, res) => void res.json(change(orders)));
  app.post('/orders', (req, res) => {
    orders.push(req.body);
    res.status(201).json(change(req.body));
  });
  app.get('/orders/:id', (_req, res) => void res.json(change({})));
  app.get('/health', (_req, res) => void res.json(change({ status: 'well' })));
  app.get('/version', (_req, res) => void res.json(change('1.0.0')));
  app.get('/stream', (_req, res) => {
    res.type('json');
    res.write('[');
    for (const [index, each] of items.entries())
      res.write((index > 0 ? ',' : '') + JSON.stringify(change(each)));
    res.end(']');
  });
  app.get('/text', (_req, res) => void res.type('text').send('Hello.'));
  const onError: ErrorRequestHandler = (error, _req, res, _next) =>
    void res.status(error.status ?? 500).json({ message: error.message, errors: error.errors });
  return app.use(onError);
}
