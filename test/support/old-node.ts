import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Finds a Node of this machine, besides the project's own, that is older than 22. */
async function findOldNode(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    if (folder.includes('node_modules') || !existsSync(node)) continue;
    const version = await promisify(execFile)(node, ['--version']).then(
      ({ stdout }) => stdout,
      () => '',
    );
    if (/^v(1\d|2[01])\./.test(version)) return node;
  }
  return undefined;
}

/** The path of an old Node, if this machine has one. */
export const oldNode = await findOldNode();
