import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface FilePatch {
  file: string;
  isNew: boolean;
  hunks: Hunk[];
}

interface Hunk {
  /** The index of its first line when the patch was written. */
  start: number;
  /** Each with its mark: a space, `-` or `+`. */
  lines: string[];
}

/**
 * Applies a patch in the unified format to a folder. Unlike `git apply`, it tolerates changed context lines: a hunk
 * that only adds lines needs just one of its neighboring lines, because other changes also append to many lists.
 * @throws Error that lists the files and the hunks that do not apply
 */
export async function applyHunks(folder: string, patch: string): Promise<void> {
  const failed: string[] = [];
  for (const { file, isNew, hunks } of readPatch(patch)) {
    const path = join(folder, file);
    let lines = isNew ? [] : (await readFile(path, 'utf8')).split('\n');
    for (const hunk of hunks) {
      const changed = isNew ? hunk.lines.map((line) => line.slice(1)) : applyHunk(lines, hunk);
      if (changed) lines = changed;
      else failed.push(`${file}:\n${hunk.lines.join('\n')}`);
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, isNew ? `${lines.join('\n')}\n` : lines.join('\n'));
  }
  if (failed.length > 0)
    throw new Error(
      `These files have changed, so ${failed.length} part(s) of scripts/lab/rehearsal/teams.patch do not apply. Correct the context lines:\n${failed.join('\n')}`,
    );
}

function readPatch(patch: string): FilePatch[] {
  return patch.split(/^diff --git /m).flatMap((part) => {
    const file = /^\+\+\+ b\/(.*)$/m.exec(part)?.[1];
    if (file === undefined) return [];
    const hunks = part
      .split(/^(?=@@ )/m)
      .slice(1)
      .map((text) => ({
        start: Number(/^@@ -(\d+)/.exec(text)?.[1]) - 1,
        lines: text.split('\n').filter((line) => /^[ +-]/.test(line)),
      }));
    return [{ file, isNew: /^new file mode/m.test(part), hunks }];
  });
}

function applyHunk(lines: readonly string[], { start, lines: hunk }: Hunk): string[] | undefined {
  const before = hunk.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const after = hunk.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  const at = indexOfBlock(lines, before, start);
  if (at !== undefined) return lines.toSpliced(at, before.length, ...after);
  if (hunk.some((line) => line.startsWith('-'))) return undefined;
  const first = hunk.findIndex((line) => line.startsWith('+'));
  const last = hunk.findLastIndex((line) => line.startsWith('+'));
  if (last - first + 1 !== hunk.filter((line) => line.startsWith('+')).length) return undefined;
  const added = hunk.slice(first, last + 1).map((line) => line.slice(1));
  const [above, below] = [hunk[first - 1]?.slice(1), hunk[last + 1]?.slice(1)];
  const under = above === undefined ? undefined : indexOfBlock(lines, [above], start);
  if (under !== undefined) return lines.toSpliced(under + 1, 0, ...added);
  const over = below === undefined ? undefined : indexOfBlock(lines, [below], start);
  return over === undefined ? undefined : lines.toSpliced(over, 0, ...added);
}

/** Returns the index of a block of lines; if it occurs several times, the index that is nearest to the expected one. */
function indexOfBlock(
  lines: readonly string[],
  block: readonly string[],
  expected: number,
): number | undefined {
  const found = lines.flatMap((_line, at) =>
    block.every((line, index) => lines[at + index] === line) ? [at] : [],
  );
  return found.sort((one, other) => Math.abs(one - expected) - Math.abs(other - expected))[0];
}
