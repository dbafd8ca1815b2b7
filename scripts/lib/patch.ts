/** A change to a file: a text that occurs exactly once in it, and its replacement. */
export interface Patch {
  file: string;
  from: string;
  to: string;
}

/**
 * Returns the content of a file with a patch.
 * @throws Error if the text does not occur exactly once, because the source has changed
 */
export function patched(content: string, { file, from, to }: Patch): string {
  const count = content.split(from).length - 1;
  if (count !== 1)
    throw new Error(
      `${file} contains the text of a patch ${count} times instead of once: ${from.slice(0, 80)}`,
    );
  return content.replace(from, () => to);
}
