import { expect, onTestFinished, test, vi } from 'vitest';
import { type ConformanceOptions, runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { type BoardsFault, boardsContract, startBoards } from './boards-server.ts';

const pinned = { 'X-Key': 'k', 'X-Tenant': 'a', Cookie: 'sid=s' };

async function tried(
  faults: BoardsFault[],
  {
    headers = pinned,
    ...more
  }: Partial<ConformanceOptions> & { headers?: Readonly<Record<string, string>> } = {},
) {
  const { url, received } = await startBoards(...faults);
  const { send, close } = createRequestSender(url, 5_000);
  onTestFinished(close);
  const pauses: number[] = [];
  const report = await runConformance({
    contract: contractOf(boardsContract),
    send,
    base: url,
    credentials: { headers, query: {} },
    phases: ['examples', 'boundaries', 'random', 'stateful'],
    only: [],
    runs: 6,
    seed: 7,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    ...more,
  });
  const checks = (id: string) => report.operations.find((each) => each.id === id)?.checks ?? {};
  const found = report.findings.map(({ operation, check, message }) => `${operation} ${check}: ${message}`);
  return { ...report, received, pauses, checks, found };
}

test('reports nothing about a conforming service, and every operation accepts valid requests', async () => {
  const { found, gaps, checks, ended, leftOut } = await tried([]);
  expect(found).toEqual([]);
  expect([ended, leftOut]).toEqual([undefined, []]);
  // `changeBoard` needs an ETag.
  expect(gaps.neverAccepted).toEqual([]);
  expect(checks('getBoard')).toHaveProperty('keeps-creation');
  expect(checks('changeBoard')).toHaveProperty('keeps-update');
});

test('tests operations last that destroy data, then those that end credentials, then those that end the service', async () => {
  const { received, last } = await tried([], { runs: 2 });
  expect(last.map(({ operation }) => operation)).toEqual(['removeBoards', 'rotateKey', 'logOut', 'stop']);
  const first = (request: string) => received.indexOf(request);
  const lastOther = received.findLastIndex((each) => each.includes('/boards/'));
  expect(first('DELETE /boards')).toBeGreaterThan(lastOther);
  expect(first('POST /keys/rotate')).toBeGreaterThan(received.lastIndexOf('DELETE /boards'));
  expect(first('POST /admin/stop')).toBeGreaterThan(received.lastIndexOf('POST /keys/rotate'));
});

test('a rotation that ends the key is named, is no finding, and has no consequences', async () => {
  const { found, ended } = await tried(['ends the key at a rotation']);
  expect(found).toEqual([]);
  expect(ended).toMatchObject({
    ...{ lost: 'credentials', operation: 'rotateKey', isExpected: true },
    unfinished: ['rotateKey', 'logOut', 'stop'],
  });
});

test.each([
  [[]],
  // No other operation has the session's credentials.
  [['getSession']],
])('the end of a session is named while the key is still valid, without %j', async (exclude) => {
  const { found, ended, received } = await tried(['ends the session'], { exclude });
  expect(found).toEqual([]);
  expect(ended).toMatchObject({ lost: 'credentials', operation: 'logOut', isExpected: true });
  expect(received.lastIndexOf('DELETE /session') - received.indexOf('DELETE /session')).toBeLessThan(10);
});

test('an operation that ends the key without a reason is the only finding', async () => {
  const { found, findings, ended, received } = await tried(['ends the key when a board is read']);
  expect(found).toEqual([
    'getBoard keeps-credentials: the service refuses the credentials after this request',
  ]);
  expect(findings[0]?.curl).toMatch(/^curl .*\/boards\/\w+'$/);
  expect(ended?.unfinished).toContain('rotateKey');
  expect(received.filter((each) => /rotate|stop/.test(each))).toEqual([]);
});

test('a service that stops when asked to is no finding', async () => {
  const { found, ended } = await tried(['stops when asked to']);
  expect(found).toEqual([]);
  expect(ended).toMatchObject({ lost: 'service', operation: 'stop', isExpected: true, unfinished: ['stop'] });
});

test('leaves out operations, and does not send their requests', async () => {
  const exclude = ['/admin/*', 'POST /keys/rotate', 'removeBoards'];
  const { leftOut, received, operations } = await tried([], { exclude, phases: ['examples'] });
  expect(leftOut).toEqual(
    ['rotateKey', 'stop', 'removeBoards'].map((operation) => ({ operation, option: '--exclude' })),
  );
  expect(operations).toHaveLength(7);
  expect(received.filter((each) => /rotate|stop|DELETE \/boards$/.test(each))).toEqual([]);
});

test('sends the pinned value of a required header, except where the request is wrong about it', async () => {
  const { url } = await startBoards();
  const { send, close } = createRequestSender(url, 5_000);
  onTestFinished(close);
  const tenants: unknown[] = [];
  const { findings } = await tried([], {
    headers: { 'x-key': 'k', 'x-tenant': 'a' },
    only: ['listBoards'],
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
  expect(others.filter((each) => String(each).length > 12).length).toBeGreaterThan(0);
  expect(others.filter((each) => each !== '' && String(each).length <= 12)).toEqual([]);
});

test('reports a 429 without its required header, and waits before it repeats the request', async () => {
  const given = { phases: ['examples'] as const, only: ['/boards'] };
  const faulty = await tried(['limits without Retry-After'], given);
  expect(faulty.found).toContain('addBoard headers: 429 has no header Retry-After');
  expect(faulty.pauses).toContain(1_000);
  const { found, pauses } = await tried(['limits'], given);
  expect([found, pauses.length > 0]).toEqual([[], true]);
});

test('announces a long wait for a rate limit, and ends instead of waiting beyond the time limit', async () => {
  const said: string[] = [];
  const given = {
    phases: ['examples'] as const,
    only: ['/boards'],
    onWait: (text: string) => said.push(text),
  };
  await tried(['limits for a minute'], given);
  expect(said[0]).toMatch(/^(GET|POST) \/boards returned 429, to be repeated in 60 s: waiting\.$/);
  said.length = 0;
  const { pauses, gaps, found, received } = await tried(['limits for a minute'], {
    ...given,
    maxSeconds: 50,
  });
  expect([pauses, said, found, received.length]).toEqual([[], [], [], 7]);
  expect(gaps.notes.join('\n')).toMatch(
    / to be repeated in 60 s, after the time limit of the run\. Turn off /,
  );
});

test('reports a property that is read back with another value than the create returned, and names the ID', async () => {
  const { findings } = await tried(['stores other points'], { phases: ['examples', 'stateful'] });
  expect(findings).toMatchObject([
    {
      ...{ operation: 'getBoard', check: 'keeps-creation' },
      message: expect.stringContaining('is read back with another points than the create returned'),
      detail: expect.stringMatching(/^ID "\w{8}"$/),
    },
  ]);
});

test('accepts a documented 404 for an unknown method on a missing resource', async () => {
  // No request creates a board or lists them, so `getBoard` has no existing one.
  const given = { phases: ['examples'] as const, only: ['getBoard'] };
  const { found, received } = await tried(['looks up before it checks the method'], given);
  expect(received.filter((each) => /^(PUT|PATCH|DELETE) /.test(each)).length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

test('sequences of one operation call those that create and read its resource, and the report names them', async () => {
  const given = { phases: ['stateful'] as const, only: ['removeBoard'] };
  const { alsoCalled, leftOut, uncreated, received, found } = await tried(['keeps removed boards'], given);
  expect([alsoCalled, uncreated]).toEqual([['addBoard', 'getBoard'], []]);
  expect(leftOut.map(({ operation }) => operation)).toEqual([
    'rotateKey',
    'getSession',
    'logOut',
    'stop',
    'listBoards',
    'removeBoards',
    'changeBoard',
  ]);
  expect(received).toEqual(
    expect.arrayContaining(['POST /boards', expect.stringMatching(/^DELETE \/boards\/./)]),
  );
  expect(found).toEqual(['getBoard gone-after-deletion: the deleted resource of /boards returned 200']);
});

test('names an operation that has no sequence, because --exclude leaves out what creates its resource', async () => {
  const given = { phases: ['stateful'] as const, only: ['removeBoard'], exclude: ['addBoard'] };
  const { alsoCalled, uncreated, received } = await tried([], given);
  expect([alsoCalled, uncreated]).toEqual([['listBoards'], ['removeBoard']]);
  expect(received.filter((each) => each === 'POST /boards')).toEqual([]);
});

test('the time limit also ends the generation of values, before the first request', async () => {
  let seconds = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => 1_000 * seconds++);
  onTestFinished(() => clock.mockRestore());
  const { received, gaps } = await tried([], { maxSeconds: 60, only: ['/boards'] });
  expect(received).toEqual([]);
  expect(gaps.notes).toEqual([
    expect.stringMatching(/^The time limit was reached at reading the contract\./),
  ]);
});
