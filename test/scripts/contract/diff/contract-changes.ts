import { pointerTokens, resolvePointer } from '../../../../scripts/lib/json-pointer.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { readYaml } from '../../../support/documents.ts';

const read = (name: string) => readYaml(import.meta.dirname, `labelled-changes/${name}.yaml`);

const library: object = read('library-contract');

/** Returns a copy of the example contract to which the changes are applied. */
export const libraryContract = (): object => structuredClone(library);

type Label = ContractChange['label'];
type WrittenChange = { [label in Label]?: string } & { rule?: string; edits: Edit[] };

const labels: readonly Label[] = ['breaking', 'compatible', 'same', 'undecided'];

const changeOf = (kind: string, { rule, edits, ...names }: WrittenChange): ContractChange => {
  const label = labels.find((each) => each in names);
  const name = label && names[label];
  if (!name) throw new Error(`Give a label to ${JSON.stringify(names)} of ${kind} in labelled-changes/.`);
  return { name, kind, label, ...(rule && { rule }), edits };
};

/** All contract changes, from the YAML files. @throws Error on import if one has no label */
export const contractChanges = ['operations', 'requests-and-responses', 'schemas'].flatMap((file) => {
  const kinds: Record<string, WrittenChange[]> = read(file);
  return Object.entries(kinds).flatMap(([kind, list]) => list.map((change) => changeOf(kind, change)));
});

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
