import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { oldNode } from '../support/old-node.ts';
import { nodeScripts, requiredNode } from './node-scripts.ts';

test.runIf(oldNode).each(nodeScripts)(
  'npm run %s says which Node it needs on the old Node of this machine',
  async (_name, command) => {
    const run = promisify(execFile)(oldNode ?? '', [...command.split(' ').slice(1), '--help']);
    const ended = await run.catch((error: unknown) => error);
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`✘ parley needs Node ${requiredNode} or later`),
    });
  },
);
