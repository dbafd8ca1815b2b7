import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  adoptRuntime,
  applicationNames,
  environmentOf,
  installApplication,
  testApplication,
} from '../../../scripts/lab/adoption/application.ts';
import { installNodes, packRuntime } from '../../../scripts/lab/adoption/packages.ts';
import { commonHeaders, sendPlanted, violationsOf } from '../../../scripts/lab/adoption/violations.ts';
import { isLong } from '../../support/sampling.ts';
import { afterAllTests, temporaryFolder } from '../../support/temporary-folder.ts';

/*
 * Applications that were written for express-openapi-validator or openapi-backend, each with its own tests, adopt the
 * runtime. They need the npm registry, so they run only with `npm run test:long`.
 */

const versions = [18, 20, 22, 24];

let tarball: string;
let nodeOf: (version: number) => string;

beforeAll(async () => {
  if (!isLong) return;
  const folder = await temporaryFolder(afterAllTests);
  tarball = await packRuntime(folder);
  nodeOf = await installNodes(join(folder, 'nodes'), versions);
});

/** Starts an application until the end of the test. @returns its URL, and what it has written to standard error */
async function start(folder: string, version: number, settings: Record<string, string> = {}) {
  const child = spawn('node', ['server.js'], {
    cwd: folder,
    env: { ...environmentOf(folder, nodeOf(version)), PORT: '0', ...settings },
  });
  onTestFinished(async () => void child.kill());
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(errors.join(''))));
  const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), exited]);
  exited.catch(() => {});
  return { base: String(line).trim(), errors };
}

describe.runIf(isLong).each(applicationNames)('the application %s', (name) => {
  let folder: string;
  let stockOutput: string;

  beforeAll(async () => {
    folder = join(await temporaryFolder(afterAllTests), 'my app');
    await installApplication(name, folder);
    stockOutput = await testApplication(folder, nodeOf(24));
    await adoptRuntime(folder, tarball);
  });

  test('passes its own tests with the stock middleware', () => {
    expect(stockOutput).not.toContain('FAILED');
    expect(countOf(stockOutput)).toMatch(/\d/);
  });

  test.each(versions)('passes its own tests, unchanged, with the runtime on Node %i', async (version) => {
    const output = await testApplication(folder, nodeOf(version));
    expect(output).not.toContain('FAILED');
    expect(countOf(output)).toBe(countOf(stockOutput));
  });

  test.each(versions)('catches each planted violation on Node %i', async (version) => {
    const planted = violationsOf(name);
    const { base, errors } = await start(folder, version, planted.settings);
    const common = await commonHeaders(base, planted);
    for (const request of planted.requests) {
      errors.length = 0;
      expect([request.name, await sendPlanted(base, common, request)]).toEqual([
        request.name,
        request.status,
      ]);
      const logged = request.logged === undefined ? '' : `"operation":"${request.logged}"`;
      await expect.poll(() => errors.join(''), { message: request.name }).toContain(logged);
    }
    for (const part of ['valid', 'request', 'response', 'credentials'])
      expect(planted.requests.map((request) => request.part)).toContain(part);
  });
});

/** Returns the number of tests that a runner has passed, from its output without colors. */
const countOf = (output: string): string | undefined =>
  /(\d+) passing|Tests:? +(\d+) passed|pass (\d+)/
    .exec(stripVTControlCharacters(output))
    ?.slice(1)
    .find(Boolean);
