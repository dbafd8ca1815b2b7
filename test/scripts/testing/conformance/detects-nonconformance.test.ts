import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { type Phase, phases } from '../../../../scripts/testing/conformance/session.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { type LibraryFault, libraryFaults, libraryServerContract, startLibrary } from './library-server.ts';

/** Tests the library's service. A request that gets no response ends soon only if the fault is that it gets none. */
async function tried(faults: LibraryFault[], only: readonly Phase[] = phases) {
  const timeoutMs = faults.includes('never responds for old books') ? 500 : 30_000;
  const base = await startLibrary(...faults);
  const { send, close } = createRequestSender(base, timeoutMs);
  onTestFinished(close);
  return runConformance({
    contract: contractOf(libraryServerContract),
    send,
    base,
    credentials: { headers: { 'X-Key': 'k' }, query: {} },
    phases: only,
    only: [],
    runs: 60,
    seed,
  });
}

test('reports no violation by a conforming service, and tests every operation', async () => {
  const { findings, operations, gaps } = await tried([]);
  expect(findings).toEqual([]);
  expect(gaps.neverAccepted).toEqual([]);
  expect(gaps.unmade).toEqual([]);
  const made = (id: string) => Object.keys(operations.find((each) => each.id === id)?.checks ?? {});
  expect(made('getBook')).toEqual(expect.arrayContaining(['found-after-creation', 'gone-after-deletion']));
  // Only the OpenAPI link of `addShelf` shows where a new shelf can be read. The two paths alone do not show it.
  expect(made('getShelf')).toContain('found-after-creation');
  for (const { id } of operations)
    expect(made(id)).toEqual(expect.arrayContaining(['requires-auth', 'status-documented']));
});

// Half of the faults; `npm run test:long` tests all of them.
const some = libraryFaults.filter((_, index) => isLong || index % 2 === 0);

test.each(some)('detects that a service %s, with the check %s', async (fault, check, operation) => {
  const { findings } = await tried([fault]);
  const told = findings.map((each) => `${each.check} ${each.operation}`);
  expect(told).toContain(`${check} ${operation}`);
});

test.each([
  ['boundaries', 'accepts too many pages', '"pages":5001'],
  ['random', 'returns 500 for long titles', '"title":"'],
  ['stateful', 'keeps deleted books', 'GET'],
] as [Phase, LibraryFault, string][])(
  'the phase %s alone detects that a service %s',
  async (phase, fault, inLine) => {
    const { findings } = await tried([fault], [phase]);
    expect(findings.length).toBeGreaterThan(0);
    if (inLine !== 'GET') expect(findings.map(({ curl }) => curl).join()).toContain(inLine);
  },
);

test('shrinks a failing request, and prints it as a curl command without credentials', async () => {
  const { findings } = await tried(['returns 500 for long titles'], ['random']);
  const { curl, message } = findings.find(({ operation }) => operation === 'addBook') ?? expect.fail();
  expect(message).toBe('the service returned 500');
  expect(curl).toMatch(
    /^curl -i --path-as-is -X POST -H "X-Key: \$X_KEY" -H 'Content-Type: application\/json' --data-binary '/,
  );
  const body = JSON.parse(/--data-binary '(.*)' '/.exec(curl)?.[1]?.replaceAll("'\\''", "'") ?? '');
  expect(Object.keys(body)).toEqual(['title']);
  expect(body.title).toHaveLength(21);
});

test('the same seed generates the same requests', async () => {
  // A request that times out on a busy machine is repeated.
  const run = () => tried(['accepts too many pages'], ['random']);
  const [one, two] = [await run(), await run()];
  expect(two.requests).toBe(one.requests);
  const withoutPort = (text: string) => text.replace(/127\.0\.0\.1:\d+/, '');
  expect(two.findings.map(({ curl }) => withoutPort(curl))).toEqual(
    one.findings.map(({ curl }) => withoutPort(curl)),
  );
});
