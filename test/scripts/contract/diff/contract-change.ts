import { pointerTokens, resolvePointer } from '../../../../scripts/lib/json-pointer.ts';
import { isObject } from '../../../../server/lib/json-object.ts';

/**
 * A change to the example contract (`library-contract.yaml`). Its label says how it affects clients. The other files of
 * `labelled-changes/` list changes by kind, with the name behind the label: `breaking: the maximum decreases`.
 */
export interface ContractChange {
  /** Description of the change. */
  name: string;
  /** The changed OpenAPI object or JSON Schema keyword. */
  kind: string;
  /** `same`: only the notation changes. `undecided`: the diff can neither prove nor refute that it breaks clients. */
  label: 'breaking' | 'compatible' | 'same' | 'undecided';
  /** The rule of the contract diff that must report the change. Every rule has at least one such change. */
  rule?: string;
  edits: readonly Edit[];
}

/**
 * A location and its new value. Without a value, the location is removed. A last token `-` appends to an array.
 * A pointer without a leading slash begins at /components/schemas/.
 */
export type Edit = readonly [pointer: string, value?: unknown];

/**
 * Applies edits to a copy of a document.
 * @throws Error if a pointer cannot be resolved or an edit changes nothing
 */
export function applyChange(document: object, edits: readonly Edit[]): object {
  const copy = structuredClone(document);
  for (const [at, value] of edits) {
    const pointer = at.startsWith('/') ? at : `/components/schemas/${at}`;
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
