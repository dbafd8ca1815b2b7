import { objectsIn } from './visit-objects.ts';

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
  for (const { node, pointer } of objectsIn(document))
    if (typeof node.$ref === 'string' && !node.$ref.startsWith('#')) return { pointer, reference: node.$ref };
  return undefined;
}
