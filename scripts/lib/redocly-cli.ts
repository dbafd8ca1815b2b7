import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { siblingModule } from './sibling-module.ts';

// Disables Redocly's telemetry and update notices.
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');

// Documents must have been loaded before, with their limits.
const withoutNetwork = siblingModule('without-network', import.meta.url).href;

export interface ProcessResult {
  code: number;
  output: string;
  errors: string;
}

/**
 * Runs Redocly's CLI.
 * @throws Error if the process cannot start, or has not ended after one minute
 */
export function runRedocly(
  given: readonly string[],
  env: Record<string, string> = {},
): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', withoutNetwork, cli, ...given], {
      env: { ...process.env, ...quiet, ...env, NO_COLOR: '1', FORCE_COLOR: undefined },
      timeout: 60_000,
    });
    const streams = { output: '', errors: '' };
    // A multi-byte character may be split between chunks.
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
    child.stdout.on('data', (data) => {
      streams.output += data;
    });
    child.stderr.on('data', (data) => {
      streams.errors += data;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === null)
        reject(new Error(`redocly ${given[0]} was stopped by ${signal} after at most 1 min.`));
      else resolve({ code, ...streams });
    });
  });
}
