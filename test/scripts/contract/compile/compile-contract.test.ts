import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient, type DeprecationNotice } from '../../../../client/index.ts';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { createSchemaCopies } from '../../../../scripts/contract/compile/schema-copies.ts';
import { createSchemaFunctions } from '../../../../scripts/contract/compile/schema-functions.ts';
import { errorFormat } from '../../../../server/errors.ts';
import { createPipeline } from '../../../../server/http/express/pipeline.ts';
import { createApiClient } from '../../../support/api-client.ts';
import { startListening } from '../../../support/start-listening.ts';

const contact = document.components.examples.Contact4021.value;

/** Starts a service whose contract has the given properties in the operation getContact. */
async function start(said: object) {
  const contract = structuredClone(document);
  Object.assign(contract.paths['/api/v1/contacts/{id}'].get, said);
  const pipeline = createPipeline({
    contract: compileContract(contract),
    errors: errorFormat,
    authenticate: async () => ({ caller: {}, scopes: new Set(['contacts:read']), headers: {} }),
    respond: async () => ({ status: 200, headers: { ETag: '"x"' }, body: contact }),
  });
  const base = await startListening(express().use(pipeline));
  return { base, api: createApiClient(base) };
}

const ends = { deprecated: true, 'x-deprecated-since': '2026-02-01', 'x-sunset': '2027-01-31' };

test('every response of a deprecated operation has Deprecation and Sunset headers, including errors', async () => {
  const { api, base } = await start(ends);
  for (const reply of [await api.getContact(1), await fetch(`${base}/api/v1/contacts/none`)]) {
    expect(reply.headers.get('deprecation')).toBe(`@${Date.UTC(2026, 1, 1) / 1_000}`);
    expect(reply.headers.get('sunset')).toBe('Sun, 31 Jan 2027 00:00:00 GMT');
  }
  const other = await fetch(`${base}/api/v1/fields`);
  expect([other.headers.get('deprecation'), other.headers.get('sunset')]).toEqual([null, null]);
});

test.each([
  ['is not deprecated', {}],
  ['has dates alone', { 'x-deprecated-since': '2026-02-01', 'x-sunset': '2027-01-31' }],
  ['has invalid dates', { deprecated: true, 'x-deprecated-since': 'soon', 'x-sunset': '2027-13-41' }],
])('an operation that %s has no Deprecation or Sunset header', async (_, said) => {
  const { headers } = await (await start(said)).api.getContact(1);
  expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
});

test('the client reports each deprecated operation once: to a callback, or on the console', async () => {
  const { base } = await start(ends);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const told: DeprecationNotice[] = [];
  const callers = [{ onDeprecated: (each: DeprecationNotice) => told.push(each) }, {}];
  for (const more of callers) {
    const { throwing } = createClient({ baseUrl: base, token: 't', ...more });
    for (const id of [1, 2, 1]) await throwing.GET('/api/v1/contacts/{id}', { params: { path: { id } } });
  }
  expect(told).toEqual([
    {
      operation: 'GET /api/v1/contacts/{id}',
      since: new Date('2026-02-01T00:00:00Z'),
      sunset: new Date('2027-01-31T00:00:00Z'),
    },
  ]);
  expect(warn.mock.calls).toEqual([
    ['Parley: GET /api/v1/contacts/{id} is deprecated since 2026-02-01 and will be removed on 2027-01-31.'],
  ]);
});

const object = (kind: object, property: string) => ({
  type: 'object',
  required: ['kind', property],
  properties: { kind, [property]: { type: 'integer' } },
});

/** Returns the function of a `oneOf` of two schemas, whose discriminator has no mapping. */
function decide(schemas: { Circle: object; Square: object }): (value: object) => boolean {
  const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const Shape = { oneOf, discriminator: { propertyName: 'kind' } };
  const copies = createSchemaCopies({ components: { schemas: { ...schemas, Shape } } });
  const name = copies.nameOf('/components/schemas/Shape', 'request');
  return createSchemaFunctions(copies).deciderOf(name);
}

test.each([
  ['const', { const: 'circle' }, { const: 'square' }],
  ['enum', { enum: ['circle', 'round'] }, { enum: ['square'] }],
])(
  'without a mapping, a discriminator has the values that the branches list with %s',
  (_word, circle, square) => {
    const accepts = decide({ Circle: object(circle, 'radius'), Square: object(square, 'side') });
    expect(accepts({ kind: 'circle', radius: 1 })).toBe(true);
    expect(accepts({ kind: 'square', side: 1 })).toBe(true);
    expect(accepts({ kind: 'square', radius: 1 })).toBe(false);
    expect(accepts({ kind: 'Circle', radius: 1 })).toBe(false);
  },
);

test('values that several branches list select no branch, so the names of the schemas do', () => {
  const kind = { enum: ['Circle', 'Square'] };
  const accepts = decide({ Circle: object(kind, 'radius'), Square: object(kind, 'side') });
  expect(accepts({ kind: 'Circle', radius: 1 })).toBe(true);
  expect(accepts({ kind: 'Square', radius: 1 })).toBe(false);
});

test('a discriminator whose values are no texts selects nothing', () => {
  const accepts = decide({ Circle: object({ const: 1 }, 'radius'), Square: object({ const: 2 }, 'side') });
  expect(accepts({ kind: 1, radius: 1 })).toBe(true);
  expect(accepts({ kind: 2, radius: 1 })).toBe(false);
});
