import { expect, onTestFinished, test, vi } from 'vitest';
import type { ConformanceOptions } from '../../../../scripts/testing/conformance/run.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/documents.ts';
import type { ArchiveBehavior, ArchiveFault } from './archive-faults.ts';
import { archiveContract, archiveCredentials, startArchive } from './archive-server.ts';
import { conformanceOfArchive } from './conformance-of.ts';

const contract = contractOf(archiveContract);
const [collections, collection, boxes] = ['/collections', '/collections/{}', '/collections/{}/boxes'];
/** Few operations, and those that end something. */
const few = [collections, collection, '/keys/rotate', '/session', '/admin/stop'];

const tried = (
  faults: (ArchiveFault | ArchiveBehavior)[],
  {
    headers = archiveCredentials,
    ...more
  }: Partial<ConformanceOptions> & { headers?: Readonly<Record<string, string>> } = {},
) => conformanceOfArchive(faults, { credentials: { headers, query: {} }, only: few, ...more });

test('tests operations last that destroy data, then those that end credentials, then those that end the service', async () => {
  const { received, last } = await tried([], { runs: 2 });
  expect(last.map(({ operation }) => operation)).toEqual([
    'removeCollections',
    'rotateKey',
    'logOut',
    'stop',
  ]);
  const first = (request: string) => received.indexOf(request);
  const lastOther = received.findLastIndex((each) => each.includes('/collections/'));
  expect(first('DELETE /collections')).toBeGreaterThan(lastOther);
  expect(first('POST /keys/rotate')).toBeGreaterThan(received.lastIndexOf('DELETE /collections'));
  expect(first('POST /admin/stop')).toBeGreaterThan(received.lastIndexOf('POST /keys/rotate'));
});

test.each([
  [[]],
  // No other operation has the session's credentials.
  [['getSession']],
])('the end of a session is named while the token is still valid, without %j', async (exclude) => {
  const { found, ended, received } = await tried(['ends the session'], { exclude });
  expect(found).toEqual([]);
  expect(ended).toMatchObject({ lost: 'credentials', operation: 'logOut', isExpected: true });
  expect(received.lastIndexOf('DELETE /session') - received.indexOf('DELETE /session')).toBeLessThan(10);
});

test('an operation that ends the token without a reason is the only finding', async () => {
  const { found, findings, ended, received } = await tried(['ends the token when a collection is read']);
  expect(found).toEqual([
    'getCollection keeps-credentials: the service refuses the credentials after this request',
  ]);
  expect(findings[0]?.curl).toMatch(/^curl .*\/collections\/\w+'$/);
  expect(ended?.unfinished).toContain('rotateKey');
  expect(received.filter((each) => /rotate|stop/.test(each))).toEqual([]);
});

test('a service that stops when asked to is no finding', async () => {
  const { found, ended } = await tried(['stops when asked to']);
  expect(found).toEqual([]);
  expect(ended).toMatchObject({ lost: 'service', operation: 'stop', isExpected: true, unfinished: ['stop'] });
});

test('a request without the cookie that its operation needs is no finding, and is named', async () => {
  const given = {
    headers: { ...archiveCredentials, Cookie: 'a=b' },
    phases: ['examples'] as const,
    only: ['getSession', 'getShelf'],
  };
  const { found, gaps } = await tried([], given);
  expect(found).toEqual([]);
  const option = "--header 'Cookie: sid=…'";
  expect(gaps.notes).toEqual([`getSession: 401, because its credentials were not given: ${option}`]);
});

test('sends the pinned value of a required header, except where the request is wrong about it', async () => {
  const { url } = await startArchive();
  const { send, close } = createRequestSender(url, 5_000);
  onTestFinished(close);
  const tenants: unknown[] = [];
  const { findings } = await tried([], {
    headers: { authorization: 'Bearer t', 'x-tenant': 'a' },
    only: ['listCollections'],
    send: async (wire) => {
      const own = Object.entries(wire.headers).filter(([name]) => name.toLowerCase() === 'x-tenant');
      tenants.push(own.map(([, value]) => value).join());
      return send(wire);
    },
  });
  expect(findings).toEqual([]);
  const others = tenants.filter((each) => each !== 'a');
  // Without the header, and with texts that are too long.
  expect(others).toContain('');
  expect(others.filter((each) => String(each).length > 20).length).toBeGreaterThan(0);
  expect(others.filter((each) => each !== '' && String(each).length <= 20)).toEqual([]);
});

test('reports a 429 without its required header, and waits before it repeats the request', async () => {
  const given = { phases: ['boundaries'] as const, only: [boxes] };
  const faulty = await tried(['limits without Retry-After'], given);
  expect(faulty.found).toContain('createBox headers: 429 has no header Retry-After');
  expect(faulty.pauses).toContain(1_000);
  const { found, pauses } = await tried([], given);
  expect([found, pauses.length > 0]).toEqual([[], true]);
});

test('announces a long wait for a rate limit, and ends instead of waiting beyond the time limit', async () => {
  const said: string[] = [];
  const onWait = (text: string) => said.push(text);
  const given = { phases: ['boundaries'] as const, only: [boxes], onWait };
  await tried(['limits for a minute'], given);
  expect(said[0]).toMatch(/^POST \/collections\/\w+\/boxes returned 429, to be repeated in 60 s: waiting\.$/);
  said.length = 0;
  const limited = await tried(['limits for a minute'], { ...given, maxSeconds: 50 });
  const { pauses, gaps, found, received } = limited;
  expect([pauses, said, found, received.length % 5]).toEqual([[], [], [], 0]);
  expect(gaps.notes.join('\n')).toMatch(
    / to be repeated in 60 s, after the time limit of the run\. Turn off /,
  );
});

test('a violation that a sequence finds names the ID', async () => {
  const { findings } = await tried(['returns another value than it stores'], { phases: ['stateful'] });
  expect(findings[0]?.message).toContain('is read back with another shelves than the create returned');
  expect(findings[0]?.detail).toMatch(/^ID "\w+"$/);
});

test('accepts a documented 404 for an unknown method on a missing resource', async () => {
  const given = { phases: ['examples'] as const, only: ['getCollection'] };
  const { found, received } = await tried(['looks up before it checks the method'], given);
  expect(received.filter((each) => /^(PUT|POST) \/collections\/./.test(each)).length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

test('sequences of one operation call those that create and read its resource, and the report names them', async () => {
  const given = { phases: ['stateful'] as const, only: ['deleteCollection'] };
  const { alsoCalled, leftOut, received, found } = await tried(['ignores deletions'], given);
  expect(alsoCalled).toEqual(['createCollection', 'getCollection']);
  const called = ['createCollection', 'getCollection', 'deleteCollection'];
  const others = contract.operations.flatMap(({ id }) => (called.includes(id) ? [] : [id]));
  expect(leftOut.map(({ operation }) => operation)).toEqual(others);
  expect(received).toEqual(
    expect.arrayContaining(['POST /collections', expect.stringMatching(/^DELETE \/collections\/./)]),
  );
  expect(found).toEqual([
    'getCollection gone-after-deletion: the deleted resource of /collections returned 200',
  ]);
});

test('the time limit also ends the generation of values, before the first request', async () => {
  let seconds = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => 1_000 * seconds++);
  onTestFinished(() => clock.mockRestore());
  const { received, gaps } = await tried([], { maxSeconds: 60, only: [collections] });
  expect(received).toEqual([]);
  expect(gaps.notes).toEqual([
    expect.stringMatching(/^The time limit was reached at reading the contract\./),
  ]);
});
