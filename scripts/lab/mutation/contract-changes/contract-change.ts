import { pointerTokens, resolvePointer } from '../../../testing/schema-values/json-pointer.ts';
import { isObject } from '../../../testing/schema-values/schema.ts';

/** A change of the library's contract with a known label. */
export interface ContractChange {
  /** Description. */
  name: string;
  /** The changed OpenAPI object or JSON Schema keyword. */
  kind: string;
  /** `same`: only the notation changes. */
  label: 'breaking' | 'compatible' | 'same';
  edits: readonly Edit[];
}

/** JSON Pointer with a new value; without a value, it is removed. A last token `-` appends to an array. */
export type Edit = readonly [pointer: string, value?: unknown];

/**
 * Applies edits to a copy of a document.
 * @throws Error if a pointer leads nowhere or an edit changes nothing
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
