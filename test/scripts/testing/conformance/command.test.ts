import { expect, test } from 'vitest';
import { contractTests } from '../../../../scripts/package/testing.ts';
import {
  content,
  documentOf,
  integer,
  object,
  string,
  strings,
  writeDocument,
} from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { startListening } from '../../../support/start-listening.ts';
import type { ArchiveBehavior, ArchiveFault } from './archive-faults.ts';
import {
  archiveContract,
  archiveCredentials,
  credentialOptions as key,
  startArchive,
} from './archive-server.ts';

async function conformance(url: string, ...more: string[]) {
  const api = await writeDocument(archiveContract);
  return runCommand(['test', '--api', api, '--url', url, '--runs', '3', '--seed', '7', ...more]);
}

async function archive(behavior: ArchiveBehavior, ...more: string[]) {
  const { url } = await startArchive(behavior);
  return conformance(url, ...key, ...more);
}

test('conformance without findings prints a table, and exits with 0', async () => {
  const { code, out } = await conformance((await startArchive()).url, ...key);
  expect(out).toContain('✔ No violation of the contract was found (seed 7).');
  expect(out).toMatch(/^createBox( +[\d·]+)+ +\d+ of \d+$/m);
  expect(code).toBe(0);
});

test('conformance reports findings with a curl command, and exits with 1', async () => {
  const fault: ArchiveFault = 'accepts too many shelves';
  const given = [...key, '--phase', 'boundaries', '--operation', 'createCollection'];
  const { code, out } = await conformance((await startArchive(fault)).url, ...given);
  expect(code).toBe(1);
  expect(out).toContain(
    '✘ createCollection: maximum of /shelves is violated: the service returned 201 instead of 422',
  );
  expect(out).toContain('rejects-invalid · boundaries · maximum of /shelves, one above · seed 7');
  expect(out).toMatch(/-H "X-Tenant: \$X_TENANT".* --data-binary '.*"shelves":501.*' 'http:/);
  expect(out).toContain(
    '$AUTHORIZATION is the value of Authorization, and $X_TENANT is the value of X-Tenant, and ',
  );
});

test('sends no invalid bodies to the operations that --unread-bodies and unreadBodies name', async () => {
  const { url } = await startArchive('accepts an upload without a file');
  const only = ['--only', 'uploadScan', '--phase', 'boundaries', '--phase', 'random'];
  const found = await conformance(url, ...key, ...only);
  const { code, out } = await conformance(url, ...key, ...only, '--unread-bodies', 'POST /*/scans');
  expect([found.code, code]).toEqual([1, 0]);
  // Other invalid requests, and valid ones, are still sent.
  expect(out).toContain('rejects-invalid');
  expect(out).toMatch(/^uploadScan .* [1-9]\d* of \d+$/m);
  const api = await writeDocument(archiveContract);
  const tests = await contractTests({
    api,
    url,
    headers: archiveCredentials,
    runs: 3,
    unreadBodies: ['uploadScan'],
  });
  await tests.find(({ operation }) => operation === 'uploadScan')?.run();
});

test.each<[ArchiveFault, string, string]>([
  ['accepts an upload without a file', 'uploadScan', 'required of /file is violated'],
  ['ignores updates', 'sequences: ', 'changeCollection: an accepted update did not change'],
])('contractTests finds what the command finds: %s', async (fault, name, message) => {
  const api = await writeDocument(archiveContract);
  const failed: string[] = [];
  // The service limits the rate of creates in collections, and the tests wait as long as it says.
  const others = ['GET /*', 'PUT /*', 'PATCH /*', 'DELETE /*'];
  const exclude = ['/rooms', ...(name === 'uploadScan' ? others : ['/collections/{id}/*'])];
  const { url } = await startArchive(fault);
  const tests = await contractTests({ api, url, headers: archiveCredentials, runs: 3, exclude });
  for (const { operation, run } of tests) await run().catch((error) => failed.push(operation, String(error)));
  expect(failed).toEqual([expect.stringContaining(name), expect.stringContaining(message)]);
  expect(failed[1]).toMatch(/^Error: The service violates the contract:/);
  expect(tests.map(({ operation }) => operation)).not.toContain('addRoom');
});

test('--json prints the whole report and nothing else', async () => {
  const { url } = await startArchive('returns an undocumented status');
  const { out, err } = await conformance(url, ...key, '--json', '--operation', 'createCollection');
  const report = JSON.parse(out);
  expect(report).toMatchObject({
    seed: 7,
    runs: 3,
    findings: [{ check: 'status-documented', operation: 'createCollection' }],
  });
  expect(report.operations.map(({ id }: { id: string }) => id)).toEqual(['createCollection']);
  expect(err).toBe('');
});

test.each([
  ['the service does not run', ['--url', 'http://127.0.0.1:9'], 'does not respond'],
  ['invalid credentials', ['--header', 'Authorization: Bearer wrong'], 'rejects the credentials'],
  ['an unknown operation', ['--operation', 'burnBoxes'], 'no operation burnBoxes'],
  ['an unknown operation to leave out', ['--exclude', 'getShel'], 'The nearest ones: getShelf, '],
  ['an unknown path to leave out', ['--exclude', '/roms'], 'The nearest ones: POST /rooms, '],
  ['an unknown phase', ['--phase', 'dreams'], 'examples, boundaries, random, stateful'],
  ['a header without a name', ['--header', 'k'], 'Name: value'],
  ['no such contract', ['--api', 'nothing.yaml'], 'nothing.yaml'],
])('conformance exits with 2 and explains the problem: %s', async (_what, more, told) => {
  const { code, err } = await conformance((await startArchive()).url, ...key, ...more);
  expect(err).toContain(told);
  expect(code).toBe(2);
});

test('reports that the time limit was reached, and then exits with 1 if --strict is set', async () => {
  const { url } = await startArchive();
  const limited = ['--runs', '10000', '--max-seconds', '1', '--operation', 'listCollections'];
  const { code, out } = await conformance(url, ...key, ...limited);
  expect([code, out]).toEqual([0, expect.stringContaining('The time limit was reached')]);
  const strict = await conformance(url, ...key, ...limited, '--strict');
  expect([strict.code, strict.out]).toEqual([1, expect.stringContaining('which --strict does not allow')]);
  expect(strict.out).not.toContain('No violation');
});

test('names an operation that accepts no request, and why a limit could not be tested', async () => {
  const files = { ...strings, minItems: 1 };
  const properties = { title: { ...string, minLength: 3 }, labels: strings, count: integer, files };
  const upload = {
    requestBody: { required: true, ...content(object(properties, 'title', 'files'), 'multipart/form-data') },
    responses: { default: { description: 'Any.' } },
  };
  const tags = { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 50 };
  const report = { responses: { 200: { description: 'Yes.' }, default: { description: 'Others.' } } };
  const list = { parameters: [{ name: 'tags', in: 'query', explode: false, schema: tags }], ...report };
  const paths = {
    '/report': { get: { operationId: 'getReport', ...report } },
    '/tags': { get: { operationId: 'getTags', ...list } },
    '/files': { post: { operationId: 'addFile', ...upload } },
  };
  const api = await writeDocument(documentOf(paths));
  const url = await startListening((req, res) => {
    req.resume();
    res.writeHead(req.url === '/report' ? 404 : 200).end();
  });
  const { out } = await conformance(url, '--api', api);
  expect(out).toMatch(/No valid request was accepted, .*:\n {4}getReport; \d+ times 404\n/);
  expect(out.match(/^ *(addFile body|getTags query.*maxItems).*$/gm)).toEqual([
    '    addFile body/files: minItems, one below (it cannot be serialized)',
  ]);
});

test('names what was left out in text and JSON', async () => {
  const { url } = await startArchive();
  const given = [
    ...[...key, '--only', '/collections', '--only', '/collections/{id}'],
    ...['--exclude', 'DELETE /collections/{id}', '--phase', 'examples', 'boundaries'],
  ];
  const { code, out } = await conformance(url, ...given, '--strict');
  expect(out).toContain('Left out by --exclude: deleteCollection.\nLeft out by --only: createBox, ');
  expect(code).toBe(0);
  const sequences = await conformance(url, ...key, '--only', 'deleteCollection', '--phase', 'stateful');
  expect(sequences.out).toContain('what the others need: createCollection, getCollection.');
  const report = JSON.parse((await conformance(url, ...given, '--json')).out);
  expect(report.leftOut).toContainEqual({ operation: 'deleteCollection', option: '--exclude' });
});

test('a crash is one finding, which names the request and what was not tested', async () => {
  const { code, out } = await archive('crashes when a collection is changed');
  expect(code).toBe(1);
  expect(out).toContain('✘ changeCollection: the service stopped responding after this request (');
  expect(out).toMatch(/^ {2}curl .* -X PATCH .*\/collections\//m);
  expect(out).toMatch(
    /^The service stopped responding after changeCollection .*--exclude changeCollection\.$/m,
  );
  expect(out).toContain('✘ 1 finding.');
});

test('a rotation that ends the token is named, and only --strict fails because of it', async () => {
  const { code, out } = await archive('ends the token at a rotation', '--phase', 'examples');
  expect(out).toMatch(
    /^The last in order, .*: removeCollections \(data\), rotateKey \(credentials\), logOut \(credentials\), stop \(service\)/m,
  );
  expect(out).toMatch(/^The service refuses the credentials since rotateKey, as its description says/m);
  expect([code, out]).toEqual([0, expect.stringContaining('✔ No violation')]);
  expect((await archive('ends the token at a rotation', '--phase', 'examples', '--strict')).code).toBe(1);
});

test('exits with 0 for a contract that describes only webhooks, because there is nothing to test', async () => {
  const webhooks = { paid: { post: { responses: { 200: { description: 'Yes.' } } } } };
  const api = await writeDocument({ openapi: '3.1.1', info: { title: 'T', version: '1' }, webhooks });
  const { code, out } = await conformance((await startArchive()).url, '--api', api);
  expect([code, out]).toEqual([0, expect.stringContaining('describes only webhooks')]);
});
