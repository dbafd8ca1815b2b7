import { expect, test } from 'vitest';
import { servePipeline } from './serve-pipeline.ts';

const closed = { type: 'object', additionalProperties: false };
const object = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'object' } } };

/** Serves an operation with one query parameter, and a form. */
async function serve(parameter: object) {
  const ok = { '200': { description: 'Yes.', content: { 'application/json': { schema: {} } } } };
  const form = { ...closed, properties: { a: { type: 'string' } } };
  const base = await servePipeline(
    {
      paths: {
        '/things': {
          get: {
            parameters: [{ name: 'filter', in: 'query', ...parameter }],
            responses: { ...ok, '400': { description: 'No.' } },
          },
          post: {
            requestBody: { content: { 'application/x-www-form-urlencoded': { schema: form } } },
            responses: { ...ok, '400': { description: 'No.' } },
          },
        },
      },
    },
    async () => ({ status: 200, body: {} }),
  );
  return (query: string, body?: string) =>
    fetch(`${base}/things${query}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' },
    }).then(({ status }) => status);
}

const deep = { style: 'deepObject', explode: true };
const open = { ...object, additionalProperties: true };
const invalid = [
  '?unknown=1',
  '?filter[a',
  '?filter[a]x=1',
  '?filter]a[=1',
  '?filter[[a]]=1',
  '?filterx[a]=1',
  '?fil=1',
];

test.each<[string, object, string[], string[]]>([
  [
    'deepObject',
    { ...deep, schema: object },
    ['', '?filter[a]=1', '?filter%5Ba%5D=1'],
    [...invalid, '?filter[]=1', '?a=1'],
  ],
  ['an open deepObject', { ...deep, schema: open }, ['?filter[a]=1', '?filter[z]=1'], [...invalid, '?a=1']],
  [
    'a closed exploded form',
    { schema: { ...object, ...closed } },
    ['?a=1'],
    [...invalid, '?z=1', '?filter[a]=1'],
  ],
  ['an exploded form', { schema: object }, ['?a=1'], [...invalid, '?z=1']],
  ['an open exploded form', { schema: open }, ['?a=1', '?z=1'], []],
  [
    'a list',
    { schema: { type: 'array', items: { type: 'string' } } },
    ['?filter=1&filter=2'],
    [...invalid, '?z=1'],
  ],
  [
    'a union',
    { schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    ['?filter=1'],
    ['?z=1', '?filter[a', '?filter=1&z=1'],
  ],
])(
  'refuses every name that no parameter documents, beside %s',
  async (_what, parameter, accepted, refused) => {
    const send = await serve(parameter);
    for (const query of accepted) expect([query, await send(query)]).toEqual([query, 200]);
    for (const query of refused) expect([query, await send(query)]).toEqual([query, 400]);
  },
);

test('refuses every name in a form that its closed schema does not have', async () => {
  const send = await serve({ schema: { type: 'string' } });
  expect(await send('', 'a=1')).toBe(200);
  for (const body of ['b=1', 'a[b=1', 'a=1&a[b]=1', 'a[]=1'])
    expect([body, await send('', body)]).toEqual([body, 400]);
});
