import { pointerTokens, resolvePointer } from '../../../testing/schema-values/json-pointer.ts';
import { isObject } from '../../../testing/schema-values/schema.ts';

/** A change to the contract of the library, and whom it breaks. */
export interface ContractChange {
  /** What is changed, for people. */
  name: string;
  /** Which kind of object of OpenAPI, or keyword of JSON Schema. */
  kind: string;
  /** `same`: nothing but the way in which it is written. */
  label: 'breaking' | 'compatible' | 'same';
  edits: readonly Edit[];
}

/** JSON Pointer, and what stands there afterwards; without that, it is taken away. A last step `-` adds to a list. */
export type Edit = readonly [pointer: string, value?: unknown];

/**
 * A copy of a document with some edits made.
 * @throws Error where a pointer leads nowhere, or an edit changes nothing: the document has changed since it was written
 */
export function applyChange(document: object, edits: readonly Edit[]): object {
  const copy = structuredClone(document);
  for (const [pointer, value] of edits) {
    const cut = pointer.lastIndexOf('/');
    const within = resolvePointer(copy, pointer.slice(0, cut));
    const [last = ''] = pointerTokens(pointer.slice(cut));
    if (Array.isArray(within)) {
      if (last === '-') within.push(value);
      else if (value === undefined) within.splice(Number(last), 1);
      else within[Number(last)] = value;
    } else if (isObject(within)) {
      if (JSON.stringify(within[last]) === JSON.stringify(value))
        throw new Error(`${pointer} is so already.`);
      if (value === undefined) delete within[last];
      else within[last] = value;
    } else throw new Error(`Nothing is at ${pointer}.`);
  }
  return copy;
}
