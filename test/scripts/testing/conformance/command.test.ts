import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { type LibraryFault, libraryServerContract, startLibrary } from './library-server.ts';

async function conformance(url: string, ...more: string[]) {
  const folder = await temporaryFolder();
  const api = join(folder, 'library.json');
  const junit = join(folder, 'report.xml');
  writeFileSync(api, JSON.stringify(libraryServerContract));
  const given = ['--api', api, '--url', url, '--junit', junit, '--runs', '20', '--seed', '7', ...more];
  const ran = await runCommand(['test', ...given]);
  return { ...ran, xml: () => readFileSync(junit, 'utf8') };
}

const key = ['--header', 'X-Key: k'];

test('conformance without findings prints a table, writes a JUnit report, and exits with 0', async () => {
  const { code, out, xml } = await conformance(await startLibrary(), ...key);
  expect(out).toContain('✔ No violation of the contract was found (seed 7).');
  expect(out).toMatch(/^addBook( +[\d·]+)+ +\d+ of \d+$/m);
  expect(code).toBe(0);
  expect(xml()).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="conformance">/);
  expect(xml()).toContain('<testsuite name="addBook"');
  expect(xml()).not.toContain('<failure');
});

test('conformance reports findings with a curl command and as JUnit failures, and exits with 1', async () => {
  const fault: LibraryFault = 'accepts too many pages';
  const { code, out, xml } = await conformance(await startLibrary(fault), ...key, '--phase', 'boundaries');
  expect(code).toBe(1);
  expect(out).toContain('✘ addBook: maximum of /pages is violated: the service returned 201 instead of 422');
  expect(out).toContain('rejects-invalid · boundaries · maximum of /pages, one above · seed 7');
  expect(out).toMatch(/--data-binary '.*"pages":5001.*' 'http:/);
  expect(xml()).toContain(
    '<failure message="maximum of /pages is violated: the service returned 201 instead of 422">',
  );
});

test('--json prints the whole report and nothing else', async () => {
  const { out, err } = await conformance(
    await startLibrary('returns an invalid header'),
    ...key,
    '--json',
    '--operation',
    'listBooks',
  );
  const report = JSON.parse(out);
  expect(report).toMatchObject({
    seed: 7,
    runs: 20,
    findings: [{ check: 'headers', operation: 'listBooks' }],
  });
  expect(report.operations.map(({ id }: { id: string }) => id)).toEqual(['listBooks']);
  expect(err).toBe('');
});

test.each([
  ['the service does not run', ['--url', 'http://127.0.0.1:9'], 'does not respond'],
  ['invalid credentials', ['--header', 'X-Key: wrong'], 'rejects the credentials'],
  ['an unknown operation', ['--operation', 'burnBooks'], 'no operation burnBooks'],
  ['an unknown phase', ['--phase', 'dreams'], 'examples, boundaries, random, stateful'],
  ['a header without a name', ['--header', 'k'], 'Name: value'],
  ['no such contract', ['--api', 'nothing.yaml'], 'nothing.yaml'],
])('conformance exits with 2 and explains the problem: %s', async (_what, more, told) => {
  const { code, err } = await conformance(await startLibrary(), ...key, ...more);
  expect(err).toContain(told);
  expect(code).toBe(2);
});

test('reports that the time limit was reached, and then exits with 1 if --strict is set', async () => {
  const url = await startLibrary();
  const limited = ['--runs', '100000', '--max-seconds', '1', '--operation', 'listBooks'];
  const { code, out } = await conformance(url, ...key, ...limited);
  expect([code, out]).toEqual([0, expect.stringContaining('The time limit was reached')]);
  expect((await conformance(url, ...key, ...limited, '--strict')).code).toBe(1);
});

test('exits with 0 for a contract that describes only webhooks, because there is nothing to test', async () => {
  const folder = await temporaryFolder();
  const api = join(folder, 'hooks.json');
  const webhooks = { paid: { post: { responses: { 200: { description: 'Yes.' } } } } };
  writeFileSync(api, JSON.stringify({ openapi: '3.1.1', info: { title: 'T', version: '1' }, webhooks }));
  const { code, out } = await conformance(await startLibrary(), '--api', api);
  expect([code, out]).toEqual([0, expect.stringContaining('describes only webhooks')]);
});
