import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const api = resolve('test/scripts/contract/survive/tickets.yaml');

/** Tests of a team with a client that refuses unknown properties. */
const program = `
  const base = process.env.TICKETS_URL;
  const response = await fetch(base + '/tickets/1', { headers: { Authorization: 'Bearer t' } });
  const ticket = await response.json();
  const known = ['id', 'title', 'state', 'assignee', 'tags', 'updated_at', 'votes'];
  const unknown = Object.keys(ticket).find((name) => !known.includes(name));
  if (response.ok && unknown) throw new TypeError('unknown property ' + unknown);
`;

const run = (given: readonly string[]) => runCommand(['survive', '--api', api, ...given]);

test('the command names what a client cannot handle, with the location in the contract, and exits with 1', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'tests.mjs'), program);
  const scenarios = ['new-properties', 'nulls', 'small-pages'].flatMap((name) => ['--scenario', name]);
  const { code, out } = await run([
    ...['--env', 'TICKETS_URL', ...scenarios],
    ...['--', process.execPath, join(folder, 'tests.mjs')],
  ]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^✘ new-properties getTicket: exception\n {2}The tests fail: .*unknown property added_later/,
  );
  expect(out).toContain('Legal: A promise of the API (properties): the README of Tickets');
  expect(out).toContain(`--serve --port 4020 --scenario new-properties --operation getTicket`);
  expect(out).toContain('✘ 1 error in 2 scenarios with 1 operation.');
  expect(out).toContain('Not applicable to the responses that the tests got: small-pages');
});

test('runs that disturb each other are repeated alone', async () => {
  const folder = await temporaryFolder();
  // Two of these tests at the same time fail.
  const exclusive = `
  import { mkdirSync, rmdirSync } from 'node:fs';
  import { setTimeout as wait } from 'node:timers/promises';
  mkdirSync('lock');
  await wait(300);
  await fetch(process.env.SURVIVE_URL + '/tickets/1', { headers: { Authorization: 'Bearer t' } });
  rmdirSync('lock');
`;
  await writeFile(
    join(folder, 'tests.mjs'),
    exclusive.replaceAll("'lock'", JSON.stringify(join(folder, 'lock'))),
  );
  const scenarios = ['charset', 'nulls', 'slow-body', 'status-404'].flatMap((name) => ['--scenario', name]);
  const { code, out } = await run([
    ...['--jobs', '3', ...scenarios],
    ...['--', process.execPath, join(folder, 'tests.mjs')],
  ]);
  expect([code, out]).toEqual([0, expect.stringContaining('✔ The client survives 4 scenarios')]);
});

test('the command exits with 2 and names the cause if the tests fail without a scenario, or send nothing', async () => {
  const failing = await run(['--', process.execPath, '--eval', 'throw new Error("not ready")']);
  expect([failing.code, failing.err]).toEqual([2, expect.stringContaining('not ready')]);
  const silent = await run(['--', process.execPath, '--eval', '0']);
  expect(silent).toMatchObject({ code: 2, err: expect.stringContaining('SURVIVE_URL') });
  const missing = await run([]);
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('The test command is missing.') });
  const unknown = await run(['--scenario', 'nothing', '--', 'true']);
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('There is no scenario nothing.') });
});

test('the command ends the tests and their processes when it is interrupted', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'pid');
  const endless = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, [
    ...[
      'scripts/commands/parley-contract.ts',
      'survive',
      '--api',
      api,
      '--',
      process.execPath,
      '--eval',
      endless,
    ],
  ]);
  const pid = async () => Number(await readFile(file, 'utf8').catch(() => '0'));
  await expect.poll(pid).toBeGreaterThan(0);
  const tests = await pid();
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  await expect.poll(() => isRunning(tests)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('the list of scenarios has those of the mock and of the connection', async () => {
  const { out } = await run(['--list']);
  expect(out).toMatch(/^status-404 +documented /m);
  expect(out).toMatch(/^gzip +http /m);
});
