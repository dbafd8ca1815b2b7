import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { contract } from '../../../../scripts/runtime-package/express.ts';
import { coverageItemsOf } from '../../../../scripts/testing/coverage/coverage-items.ts';
import {
  createCoverageRecorder,
  folder as recordings,
} from '../../../../scripts/testing/coverage/recording.ts';
import { coverageOf } from '../../../../scripts/testing/coverage/report.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { copyProject } from '../../../support/copy-project.ts';
import { contractOf, documentOf, integer, object } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { startService } from '../../../support/service.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const context = createSchemaContext(document);
const goals = coverageItemsOf(context, operationsOf(context));
const names = goals.map(({ name }) => name);
const countOf = (type: string) => goals.filter(({ kind }) => kind === type).length;

test('everything that an operation documents becomes a named coverage item', () => {
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      'createContact',
      'createContact → 409',
      'createContact → 201 application/json',
      'createContact → 201 Location',
      'createContact ← header/Idempotency-Key',
      'createContact ← application/json',
      'createContact ← /fields/*/value',
      'listContacts ← query/order = desc',
      'listContacts → 200 /*/fields/*/type',
      'listContacts → 200 /*/status = minimized',
    ]),
  );
});

test('a property that several media types of a body have is one item', () => {
  const schema = { type: 'object', properties: { price: { type: 'number' } } };
  const content = { 'application/json': { schema }, 'application/merge-patch+json': { schema } };
  const responses = { 200: { description: 'Yes.', content } };
  const paths = { '/a': { patch: { operationId: 'change', requestBody: { content }, responses } } };
  const context = createSchemaContext(documentOf(paths));
  const items = coverageItemsOf(context, operationsOf(context)).map(({ name }) => name);
  expect(items.filter((name) => name.endsWith('/price'))).toEqual(['change ← /price', 'change → 200 /price']);
});

test('a request and its response cover exactly the items that they contain', async () => {
  const { observe, reached } = createCoverageRecorder(contractOf(document), new Set());
  const { api } = await startService({ observe });
  await api.createContact({ first_name: 'Ada', status: 'online' });
  expect([...reached].filter((name) => name.includes('←'))).toEqual([]);
  expect(reached).toContain('createContact → 422 /fields');
  await api.createContact({ first_name: 'Ada' });
  await api.listContacts('?order=desc');
  const found = [...reached];
  expect(found).toEqual(
    expect.arrayContaining([
      'createContact ← /first_name',
      'createContact → 201 /id',
      'createContact → 201 Location',
      'listContacts ← query/order = desc',
      'listContacts → 200 /*/status = offline',
    ]),
  );
  for (const absent of [
    '← query/order = asc',
    '← query/page',
    '→ 200 /*/status = online',
    '→ 200 /*/fields/*/id',
    '→ 401',
  ])
    expect(found).not.toContain(`listContacts ${absent}`);
  expect(found.filter((name) => !names.includes(name))).toEqual([]);
});

test('an event stream and the properties of a deep object are covered', async () => {
  const filter = { name: 'filter', in: 'query', style: 'deepObject', schema: object({ composer: integer }) };
  const stream = { 200: { description: 'Events.', content: { 'text/event-stream': {} } } };
  const get = { operationId: 'listScores', parameters: [filter], responses: stream };
  const document = documentOf({ '/scores': { get } });
  const { observe, reached } = createCoverageRecorder(contractOf(document), new Set());
  const app = express().use(contract(compileContract(document), { observe }));
  app.get('/scores', (_req, res) => void res.type('text/event-stream').end('data: 1\n\n'));
  await fetch(`${await startListening(app)}/scores?filter%5Bcomposer%5D=1`);
  expect([...reached]).toEqual(
    expect.arrayContaining(['listScores ← query/filter/composer', 'listScores → 200 text/event-stream']),
  );
});

test('counts covered items by type, and names the uncovered ones', () => {
  const reached = new Set(
    names.filter((name) => name !== 'getContact → 404' && !name.startsWith('getMessage')),
  );
  const { total, operations, gaps } = coverageOf(goals, reached);
  expect(total.operation).toEqual({ reached: countOf('operation') - 1, of: countOf('operation') });
  const statuses = goals.filter(({ kind, operation }) => kind === 'status' && operation === 'getContact');
  expect(operations.getContact?.status).toEqual({ reached: statuses.length - 1, of: statuses.length });
  expect(gaps).toContain('getContact → 404');
});

test('contract:coverage --check fails if a part is not covered, and names it', async () => {
  const folder = join(await temporaryFolder(), 'copy');
  await copyProject(folder, ['openapi', 'generated']);
  const coverage = (...given: string[]) => runCommand(['coverage', ...given], { cwd: folder });
  expect(await coverage('--check')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Run: npm test'),
  });
  mkdirSync(join(folder, recordings), { recursive: true });
  const record = (list: string[]) =>
    writeFileSync(join(folder, recordings, 'one.reached'), JSON.stringify(list));

  record([]);
  expect(await coverage()).toMatchObject({ code: 2, err: expect.stringContaining('Pass observe') });
  record(names.filter((name) => name !== 'getContact → 422'));
  expect(await coverage('--check')).toMatchObject({
    code: 1,
    err: expect.stringContaining('  getContact → 422\n'),
  });
  record(names);
  expect(await coverage('--check')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`status ${countOf('status')}/${countOf('status')}`),
  });
});
