import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient, type DeprecationNotice } from '../../../../client/index.ts';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
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
