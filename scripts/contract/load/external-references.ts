import { escapePointer } from '../../../server/lib/json-text.ts';

/** A reference to another document. */
export interface ExternalReference {
  pointer: string;
  reference: string;
}

/**
 * Finds a reference that leads out of a bundled document. Libraries that read the document would follow it to any file or
 * URL, from the working directory, even in an example or a constant.
 */
export function findExternalReference(document: unknown): ExternalReference | undefined {
  const left: { node: unknown; pointer: string }[] = [{ node: document, pointer: '' }];
  const seen = new Set<unknown>();
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const { node, pointer } = at;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string' && !value.startsWith('#'))
        return { pointer, reference: value };
      if (typeof value === 'object') left.push({ node: value, pointer: `${pointer}/${escapePointer(key)}` });
    }
  }
  return undefined;
}
