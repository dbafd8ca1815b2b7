import { expect, test } from 'vitest';
import { servePipeline } from './serve-pipeline.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = { '200': { description: 'Yes.', ...json({}) } };

test('parses a header and a cookie whose media type is JSON', async () => {
  const place = { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } };
  const base = await servePipeline(
    {
      paths: {
        '/here': {
          get: {
            parameters: [
              { name: 'X-Place', in: 'header', ...json(place) },
              { name: 'place', in: 'cookie', ...json(place) },
            ],
            responses: { ...ok, '400': { description: 'No.' } },
          },
        },
      },
    },
    async (_operation, { headers }) => ({ status: 200, body: { headers } }),
  );
  const send = (place: string) =>
    fetch(`${base}/here`, { headers: { 'X-Place': place, Cookie: `place=${encodeURIComponent(place)}` } });
  const response = await send('{"lat":1.5}');
  expect(await response.json()).toEqual({ headers: { 'x-place': { lat: 1.5 } } });
  expect([(await send('{"lat":"x"}')).status, (await send('no JSON')).status]).toEqual([400, 400]);
});

test.each(['readOnly', 'writeOnly'])('applies %s to a required property behind a reference', async (word) => {
  const base = await servePipeline(
    {
      components: {
        schemas: {
          Identifier: { type: 'string', [word]: true },
          Thing: {
            type: 'object',
            required: ['id', 'name'],
            properties: { id: { $ref: '#/components/schemas/Identifier' }, name: { type: 'string' } },
          },
        },
      },
      paths: {
        '/things': {
          post: {
            requestBody: { required: true, ...json({ $ref: '#/components/schemas/Thing' }) },
            responses: {
              '200': { description: 'Yes.', ...json({ $ref: '#/components/schemas/Thing' }) },
              '400': { description: 'No.' },
            },
          },
        },
      },
    },
    async () => ({ status: 200, body: word === 'readOnly' ? { id: 'a', name: 'b' } : { name: 'b' } }),
  );
  const send = async (body: object) =>
    (
      await fetch(`${base}/things`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  const isReadOnly = word === 'readOnly';
  expect(await send({ name: 'b' })).toBe(isReadOnly ? 200 : 400);
  expect(await send({ id: 'a', name: 'b' })).toBe(isReadOnly ? 400 : 200);
});

test.each(['readOnly', 'writeOnly'])('applies %s to no body and to no item of an array', async (word) => {
  const marked = { type: 'object', [word]: true, properties: { items: { type: 'string', [word]: true } } };
  const schemas = {
    body: { $ref: '#/components/schemas/Marked' },
    items: { type: 'array', items: { $ref: '#/components/schemas/Marked' } },
  };
  const base = await servePipeline(
    {
      components: { schemas: { Marked: marked } },
      paths: Object.fromEntries(
        Object.entries(schemas).map(([name, each]) => [
          `/${name}`,
          {
            post: {
              requestBody: { required: true, ...json(each) },
              responses: { '200': { description: 'Yes.', ...json(each) }, '400': { description: 'No.' } },
            },
          },
        ]),
      ),
    },
    async ({ path }) => ({ status: 200, body: path === '/items' ? [{}] : {} }),
  );
  const send = async (path: string, body: unknown) =>
    (
      await fetch(base + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  expect([await send('/body', {}), await send('/items', [{}])]).toEqual([200, 200]);
  // A property with the name of a keyword keeps it.
  const forbidden = word === 'readOnly' ? 400 : 200;
  expect(await send('/body', { items: 'a' })).toBe(forbidden);
  expect(await send('/items', [{ items: 'a' }])).toBe(forbidden);
});

test('accepts a media type that matches a documented range', async () => {
  const base = await servePipeline(
    {
      paths: {
        '/things': {
          post: {
            requestBody: { content: { 'application/*+json': { schema: { type: 'integer' } } } },
            responses: { ...ok, '400': { description: 'No.' }, '415': { description: 'No.' } },
          },
        },
      },
    },
    async (_operation, { body }) => ({ status: 200, body: { body } }),
  );
  const send = (type: string, body: string) =>
    fetch(`${base}/things`, { method: 'POST', headers: { 'Content-Type': type }, body });
  expect(await (await send('application/vnd.a+json', '1')).json()).toEqual({ body: 1 });
  const statuses = [
    (await send('application/vnd.a+json', '"x"')).status,
    (await send('application/vnd.a+xml', '1')).status,
  ];
  expect(statuses).toEqual([400, 415]);
});

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

test.each(['*/*', 'application/*'])('validates the bodies of requests and responses of %s', async (range) => {
  const content = { [range]: { schema: thing } };
  const base = await servePipeline(
    {
      paths: {
        '/things': {
          post: {
            requestBody: { content },
            responses: {
              '200': { description: 'Yes.', content },
              '400': { description: 'No.' },
              '415': { description: 'No.' },
              '500': { description: 'No.' },
            },
          },
        },
      },
    },
    async (_operation, { body }) => ({
      status: 200,
      body: Object(body).isWrong ? { id: 'x' } : body,
      mediaType: 'application/json',
    }),
  );
  const send = async (type: string, body: string) =>
    (await fetch(`${base}/things`, { method: 'POST', headers: { 'Content-Type': type }, body })).status;
  expect([
    await send('application/json', '{"id":1}'),
    await send('application/json', '{"id":"1"}'),
    await send('application/json', 'null'),
    await send('application/problem+json', '{}'),
    await send('application/x-www-form-urlencoded', 'id=1'),
    await send('application/x-www-form-urlencoded', 'id=a'),
    await send('application/octet-stream', '{"id":1}'),
    await send('application/json', '{"id":1,"isWrong":true}'),
  ]).toEqual([200, 400, 400, 400, 200, 400, 415, 500]);
});

const textOrThing = { anyOf: [thing, { type: 'string' }] };

test.each([
  ['*/*', textOrThing, 'application/octet-stream', 200],
  ['*/*', { enum: [1, 2] }, 'application/octet-stream', 415],
  ['*/*', { const: 'x' }, 'image/png', 200],
  ['image/*', thing, 'image/png', 200],
  ['application/*+xml', thing, 'application/atom+xml', 200],
] as const)(
  'for a body of the range %s with the schema %o, sent as %s, returns %i',
  async (range, schema, type, status) => {
    const base = await servePipeline(
      {
        paths: {
          '/things': {
            post: {
              requestBody: { content: { [range]: { schema } } },
              responses: { ...ok, '415': { description: 'No.' } },
            },
          },
        },
      },
      async (_operation, { body }) => ({ status: 200, body: { isBytes: body instanceof Uint8Array } }),
    );
    const headers = { 'Content-Type': type };
    const response = await fetch(`${base}/things`, { method: 'POST', headers, body: 'x' });
    expect(response.status).toBe(status);
    if (status === 200) expect(await response.json()).toEqual({ isBytes: true });
  },
);

test('accepts any query parameter if an object parameter declares no properties', async () => {
  const base = await servePipeline(
    {
      paths: {
        '/things': {
          get: {
            parameters: [{ name: 'filters', in: 'query', schema: { type: 'object' } }],
            responses: { ...ok, '400': { description: 'No.' } },
          },
        },
      },
    },
    async () => ({ status: 200, body: {} }),
  );
  expect((await fetch(`${base}/things?size=3`)).status).toBe(200);
});

test('parses nullable parameters like non-nullable ones', async () => {
  const base = await servePipeline(
    {
      components: { schemas: { State: { type: 'integer', enum: [0, 1] } } },
      paths: {
        '/things': {
          get: {
            parameters: [
              { name: 'tags', in: 'query', schema: { type: ['array', 'null'], items: { type: 'string' } } },
              {
                name: 'state',
                in: 'query',
                schema: { anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }] },
              },
            ],
            responses: { ...ok, '400': { description: 'No.' } },
          },
        },
      },
    },
    async (_operation, { query }) => ({ status: 200, body: query }),
  );
  expect(await (await fetch(`${base}/things?tags=a&state=1`)).json()).toEqual({ tags: ['a'], state: 1 });
  expect((await fetch(`${base}/things?state=true`)).status).toBe(400);
});

test('sends a string as JSON if the contract documents */* and the handler chooses JSON', async () => {
  const base = await servePipeline(
    {
      paths: {
        '/things': {
          get: { responses: { '200': { description: 'Yes.', content: { '*/*': { schema: {} } } } } },
        },
      },
    },
    async () => ({ status: 200, body: 'text', mediaType: 'application/json' }),
  );
  expect(await (await fetch(`${base}/things`)).text()).toBe('"text"');
});

test.each(['oneOf', 'anyOf'])(
  'ignores the defaults of shared schemas in %s, because their branch may not apply',
  async (union) => {
    const base = await servePipeline(
      {
        components: {
          schemas: {
            // The default is in a schema to which the branch leads by two references.
            Wifi: { allOf: [{ $ref: '#/components/schemas/Network' }], required: ['ssid'] },
            Network: {
              type: 'object',
              properties: { ssid: { type: 'string' }, hidden: { type: 'boolean', default: false } },
            },
            Phone: {
              type: 'object',
              required: ['phone'],
              properties: { phone: { type: 'string' } },
              additionalProperties: false,
            },
          },
        },
        paths: {
          '/codes': {
            post: {
              requestBody: {
                required: true,
                ...json({
                  type: 'object',
                  properties: {
                    data: {
                      [union]: [
                        { $ref: '#/components/schemas/Wifi' },
                        { $ref: '#/components/schemas/Phone' },
                      ],
                    },
                    network: { $ref: '#/components/schemas/Network' },
                  },
                }),
              },
              responses: ok,
            },
          },
        },
      },
      async (_operation, { body }) => ({ status: 200, body }),
    );
    const send = async (body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(`${base}/codes`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    };
    for (const body of [{ data: { phone: '1' } }, { data: { ssid: 'home' } }])
      expect(await send(body)).toEqual({ status: 200, body });
    // Outside of the union, the same schema has its default.
    expect(await send({ network: {} })).toEqual({ status: 200, body: { network: { hidden: false } } });
  },
);
