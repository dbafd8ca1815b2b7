import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** A check of the project. */
export interface Gate {
  name: string;
  /** Runs the check in a copy. @returns its output if it failed, or undefined if it passed */
  findFailure(folder: string): Promise<string | undefined>;
}

const gate = (name: string, ...commands: string[][]): Gate => ({
  name,
  async findFailure(folder) {
    for (const command of commands) {
      const child = spawn(process.execPath, command, {
        cwd: folder,
        env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, CI: 'true' },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          output += data;
        });
      const [code] = await once(child, 'close');
      if (code !== 0) return output;
    }
    return undefined;
  },
});

const generate = ['scripts/commands/generate.ts'];

/** Generates files from the contract and type-checks the project. */
export const types = gate('typecheck', generate, ['node_modules/typescript/bin/tsc']);
export const lint = gate('lint', ['scripts/commands/lint.ts']);

/** Compares the copy's contract with the contract of this project. */
export const changes = gate('contract:check', [
  'scripts/commands/contract-check.ts',
  ...['--only', 'changes', '--base', resolve('openapi/openapi.yaml')],
]);

/** Runs a test file on SQLite. */
export const testOf = (file: string): Gate =>
  gate(file, generate, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'embedded', file]);

/** The tests that a new resource breaks most often. */
export const resourceTests = [
  'test/server/features/teams/teams.test.ts',
  'test/system/example-requests.test.ts',
].map(testOf);

/** Runs all tests, on all engines. */
export const allTests = gate('all tests', ['node_modules/vitest/vitest.mjs', 'run']);
