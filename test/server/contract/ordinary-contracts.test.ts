import { expect, test } from 'vitest';
import type { PipelineOptions } from '../../../server/http/express/pipeline.ts';
import { array, content, integer, object, reference, responses, string } from '../../support/schemas.ts';
import { servePipeline } from './serve-pipeline.ts';

const returns = (...statuses: number[]) => responses({}, ...statuses);

/**
 * Serves one operation, by default one that returns what it received.
 * @returns a function that sends a body, as JSON unless its media type is given
 */
async function serve(
  operation: object,
  schemas: object = {},
  respond: PipelineOptions<undefined>['respond'] = async (_operation, { body }) => ({ status: 200, body }),
) {
  const document = { components: { schemas }, paths: { '/things': { post: operation } } };
  const url = `${await servePipeline(document, respond)}/things`;
  return async (sent: unknown, type?: string) => {
    const body = type === undefined ? JSON.stringify(sent) : String(sent);
    const response = await fetch(url, {
      ...{ method: 'POST', body },
      headers: { 'Content-Type': type ?? 'application/json' },
    });
    const { status } = response;
    return { status, body: status === 200 ? await response.json() : undefined };
  };
}

test.each(['readOnly', 'writeOnly'])('applies %s to a required property behind a reference', async (word) => {
  const thing = content(reference('Thing'));
  const Thing = object({ id: reference('Identifier'), name: string }, 'id', 'name');
  const isReadOnly = word === 'readOnly';
  const send = await serve(
    {
      requestBody: { required: true, ...thing },
      responses: { ...returns(400), 200: { description: 'Yes.', ...thing } },
    },
    { Thing, Identifier: { type: 'string', [word]: true } },
    async () => ({ status: 200, body: isReadOnly ? { id: 'a', name: 'b' } : { name: 'b' } }),
  );
  expect((await send({ name: 'b' })).status).toBe(isReadOnly ? 200 : 400);
  expect((await send({ id: 'a', name: 'b' })).status).toBe(isReadOnly ? 400 : 200);
});

test.each([
  ['readOnly', 'body'],
  ['readOnly', 'items'],
  ['writeOnly', 'body'],
  ['writeOnly', 'items'],
])('applies %s to no %s', async (word, part) => {
  const Marked = { ...object({ items: { type: 'string', [word]: true } }), [word]: true };
  const marked = reference('Marked');
  const schema = content(part === 'body' ? marked : array(marked));
  const as = (value: object) => (part === 'body' ? value : [value]);
  const send = await serve(
    {
      requestBody: { required: true, ...schema },
      responses: { ...returns(400), 200: { description: 'Yes.', ...schema } },
    },
    { Marked },
    async () => ({ status: 200, body: as({}) }),
  );
  expect((await send(as({}))).status).toBe(200);
  // A property with the name of a keyword keeps it.
  expect((await send(as({ items: 'a' }))).status).toBe(word === 'readOnly' ? 400 : 200);
});

test('accepts a media type that matches a documented range', async () => {
  const send = await serve({
    requestBody: content({ type: 'integer' }, 'application/*+json'),
    responses: returns(200, 400, 415),
  });
  expect(await send('1', 'application/vnd.a+json')).toEqual({ status: 200, body: 1 });
  expect((await send('"x"', 'application/vnd.a+json')).status).toBe(400);
  expect((await send('1', 'application/vnd.a+xml')).status).toBe(415);
});

const thing = object({ id: integer }, 'id');

test.each(['*/*', 'application/*'])('validates the bodies of requests and responses of %s', async (range) => {
  const send = await serve(
    {
      requestBody: content(thing, range),
      responses: { ...returns(400, 415, 500), 200: { description: 'Yes.', ...content(thing, range) } },
    },
    {},
    async (_operation, { body }) => ({
      status: 200,
      body: Object(body).isWrong ? { id: 'x' } : body,
      mediaType: 'application/json',
    }),
  );
  for (const [body, type, status] of [
    ['{"id":1}', 'application/json', 200],
    ['{"id":"1"}', 'application/json', 400],
    ['null', 'application/json', 400],
    ['{}', 'application/problem+json', 400],
    ['id=1', 'application/x-www-form-urlencoded', 200],
    ['id=a', 'application/x-www-form-urlencoded', 400],
    ['{"id":1}', 'application/octet-stream', 415],
    ['{"id":1,"isWrong":true}', 'application/json', 500],
  ] as const)
    expect([body, (await send(body, type)).status]).toEqual([body, status]);
});

test.each([
  ['*/*', { anyOf: [thing, { type: 'string' }] }, 'application/octet-stream', 200],
  ['*/*', { enum: [1, 2] }, 'application/octet-stream', 415],
  ['*/*', { const: 'x' }, 'image/png', 200],
  ['image/*', thing, 'image/png', 200],
  ['application/*+xml', thing, 'application/atom+xml', 200],
])(
  'for a body of the range %s with the schema %o, sent as %s, returns %i',
  async (range, schema, type, status) => {
    const send = await serve(
      { requestBody: content(schema, range), responses: returns(200, 415) },
      {},
      async (_operation, { body }) => ({ status: 200, body: { isBytes: body instanceof Uint8Array } }),
    );
    expect(await send('x', type)).toEqual({ status, body: status === 200 ? { isBytes: true } : undefined });
  },
);

test('sends a string as JSON if the contract documents */* and the handler chooses JSON', async () => {
  const send = await serve(
    { responses: { 200: { description: 'Yes.', ...content({}, '*/*') } } },
    {},
    async () => ({ status: 200, body: 'text', mediaType: 'application/json' }),
  );
  expect((await send({})).body).toBe('text');
});

test.each(['oneOf', 'anyOf'])(
  'ignores the defaults of shared schemas in %s, because their branch may not apply',
  async (union) => {
    const network = reference('Network');
    const data = { [union]: [reference('Wifi'), reference('Phone')] };
    const send = await serve(
      {
        requestBody: { required: true, ...content(object({ data, network })) },
        responses: returns(200),
      },
      {
        // The default is in a schema to which the branch leads by two references.
        Wifi: { allOf: [network], required: ['ssid'] },
        Network: object({ ssid: string, hidden: { type: 'boolean', default: false } }),
        Phone: { ...object({ phone: string }, 'phone'), additionalProperties: false },
      },
    );
    for (const body of [{ data: { phone: '1' } }, { data: { ssid: 'home' } }])
      expect(await send(body)).toEqual({ status: 200, body });
    // Outside of the union, the same schema has its default.
    expect((await send({ network: {} })).body).toEqual({ network: { hidden: false } });
  },
);
