import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder in which tests record: one file per process and kind. */
export const folder = 'node_modules/.cache/parley/reached';

/** What tests record: the parts of the contract that they cover, and the requests that the service refuses. */
type Kind = 'reached' | 'refused';

/** Deletes the last recording. */
export const beginRecording = (): Promise<void> => rm(folder, { recursive: true, force: true });

const ownName = randomUUID();

/**
 * Writes what this process has recorded so far, in place of what it wrote before. It is synchronous, so that it works
 * when a process ends.
 */
export function saveRecording(kind: Kind, recorded: Iterable<unknown>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${ownName}.${kind}`), JSON.stringify([...recorded]));
}

/** Returns what the processes of the last tests recorded. @throws Error if there is no recording, or an empty one */
export async function readRecording<Recorded>(kind: Kind): Promise<Recorded[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(`.${kind}`));
  if (names.length === 0) throw new Error('There is no recording.\n  Run: npm test');
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const recorded = texts.flatMap((text): Recorded[] => JSON.parse(text));
  if (recorded.length === 0 && kind === 'reached')
    throw new Error(
      'The tests have recorded no request.\n  Pass observe to the middleware, and call save after the tests.',
    );
  return recorded;
}
