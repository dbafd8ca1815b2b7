import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RefusedRequest } from '../../../../scripts/lab/replay/unchecked.ts';
import { folder as recordings } from '../../../../scripts/testing/coverage/recording.ts';
import { recordedRefusals } from '../../../support/recordings.ts';
import { runCommand } from '../../../support/run-command.ts';
import { startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const refused = (url: string, fields: string, message: string): RefusedRequest => ({
  operation: 'listContacts',
  method: 'GET',
  url: `/api/v1/contacts${url}`,
  headers: {},
  body: '',
  refusal: { status: 422, fields, message: `${fields} ${message}.` },
});

const both = refused('?page=x', 'query/page', 'must be an integer');
const numberNotation = refused('?page=1e2', 'query/page', 'must be an integer');
const plain = refused('?page=1', 'query/page', 'must be an integer');
const valid = refused('?page=1', 'query/page', 'is refused by mistake');
const withoutBody: RefusedRequest = {
  ...refused('', 'body', 'is required'),
  ...{ operation: 'createContact', method: 'POST', headers: { 'content-type': 'application/json' } },
};

test('replay needs a recording', async () => {
  expect(await runCommand(['replay'], { cwd: await temporaryFolder() })).toMatchObject({
    code: 2,
    err: expect.stringContaining('Run: npm test'),
  });
});

test.each([
  ['that both refuse', [both], 0, 'refuses 1 recorded request as ours does'],
  ['that a known defect explains', [numberNotation], 0, '(number notation 1)'],
  ['without the body that their header announces', [withoutBody], 0, '(missing body 1)'],
  ['that nothing explains', [valid, both], 1, 'accepts 1 of 2 recorded requests'],
  ['with a number in plain notation', [plain], 1, 'accepts 1 of 1 recorded requests'],
])('replay of requests %s', async (_what, requests, code, said) => {
  const cwd = await temporaryFolder();
  mkdirSync(join(cwd, recordings), { recursive: true });
  writeFileSync(join(cwd, recordings, 'one.refused'), JSON.stringify(requests));
  // A second process has recorded the same requests.
  writeFileSync(join(cwd, recordings, 'two.refused'), JSON.stringify(requests));
  const ended = await runCommand(['replay'], { cwd });
  expect(ended.code).toBe(code);
  expect(ended.out + ended.err).toContain(said);
  if (code === 0) return;
  expect(ended.err).toContain('listContacts: ours returns 422: query/page ');
  expect(ended.err).toContain('GET /api/v1/contacts?page=1');
});

test('tests record each refused request once, with its body and without its token', async () => {
  const { company } = await startService();
  const before = recordedRefusals().length;
  const { api, token } = await company.token();
  const send = (body: unknown) => api.createContact(body, { 'X-Recorded': 'yes' });
  for (const body of [{ recorded_once: 1 }, { recorded_once: 2 }])
    expect((await send(body)).status).toBe(422);
  // A rule refuses this one, which the contract accepts.
  expect(
    (await api.listContacts('?date_from=2026-01-02T00:00:00Z&date_to=2026-01-01T00:00:00Z')).status,
  ).toBe(422);
  expect((await send({ first_name: 'Ada' })).status).toBe(201);
  const recorded = recordedRefusals().filter(({ headers }) => headers['x-recorded'] === 'yes');
  expect(recorded.map(({ operation, body, refusal }) => [operation, body, refusal.status])).toEqual([
    ['createContact', '{"recorded_once":1}', 422],
  ]);
  expect(recordedRefusals()).toHaveLength(before + recorded.length);
  expect(JSON.stringify(recorded)).not.toContain(token);
});
