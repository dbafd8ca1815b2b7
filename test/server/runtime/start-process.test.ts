import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Runs a process with two parts, which writes when each starts and stops. */
async function partsOf(start: string) {
  const program = `
    import { readConfig } from './server/runtime/config/config.ts';
    import { startProcess } from './server/runtime/start-process.ts';
    const write = (text) => process.stdout.write(text + ' ');
    const part = (parts, name) => {
      write('+' + name);
      parts.defer(() => write('-' + name));
    };
    await startProcess(readConfig(process.env), async ({ store, isStopping }, parts) => {
      part(parts, 'first');
      ${start}
      part(parts, 'second');
    }).catch((error) => write(error.message));
    process.on('exit', () => write('exit'));
  `;
  const folder = await temporaryFolder();
  const env = {
    ...process.env,
    DATABASE_URL: `file:${encodeURI(join(folder, 'a.db'))}`,
    LOG_LEVEL: 'silent',
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env,
  });
  return stdout.trim();
}

test('parts stop in reverse order if a later one cannot start', async () => {
  expect(await partsOf("throw new Error('failed');")).toBe('+first -first failed exit');
});

test('a signal during the start stops the process once it has started', async () => {
  const signal =
    "process.kill(process.pid, 'SIGTERM'); while (!isStopping()) await new Promise(setImmediate);";
  expect(await partsOf(signal)).toBe('+first +second -second -first exit');
});
