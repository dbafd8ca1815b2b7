import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Redocly's CLI reports usage and asks for newer versions unless both are switched off.
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');

/** How to start Redocly's CLI as a process of this Node. */
export const redoclyCommand = (given: readonly string[]) => ({
  command: process.execPath,
  given: [cli, ...given],
  env: { ...process.env, ...quiet },
});

export interface ProcessResult {
  code: number;
  output: string;
  errors: string;
}

/**
 * Runs Redocly's CLI to its end.
 * @throws Error where it takes longer than a minute
 */
export function runRedocly(
  given: readonly string[],
  env: Record<string, string> = {},
): Promise<ProcessResult> {
  const { command, given: all, env: defaultValue } = redoclyCommand(given);
  return new Promise((resolve, reject) => {
    const child = spawn(command, all, {
      env: { ...defaultValue, ...env, NO_COLOR: '1', FORCE_COLOR: undefined },
      timeout: 60_000,
    });
    const heard = { output: '', errors: '' };
    // A sign of several bytes may come in two parts.
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
    child.stdout.on('data', (data) => {
      heard.output += data;
    });
    child.stderr.on('data', (data) => {
      heard.errors += data;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === null)
        reject(new Error(`redocly ${given[0]} was ended by ${signal} after a minute at most.`));
      else resolve({ code, ...heard });
    });
  });
}
