import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ContractChange } from './contract-change.ts';

const read = (name: string): unknown =>
  parse(readFileSync(join(import.meta.dirname, 'labelled-changes', `${name}.yaml`), 'utf8'));

const library = read('library-contract');
if (typeof library !== 'object' || library === null)
  throw new Error('library-contract.yaml is not a contract.');

/** Returns a copy of the example contract to which the changes are applied. */
export const libraryContract = (): object => structuredClone(library);

const labels = ['breaking', 'compatible', 'same', 'undecided'];

/** All contract changes, from the YAML files. @throws Error on import if a file contains anything else */
export const contractChanges: readonly ContractChange[] = [
  'operations',
  'requests-and-responses',
  'schemas',
].flatMap((name) => {
  const list = read(name);
  if (!Array.isArray(list) || !list.every(isContractChange))
    throw new Error(`${name}.yaml contains something other than contract changes.`);
  return list;
});

function isContractChange(value: unknown): value is ContractChange {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, name, label, rule, edits } = Object.fromEntries(Object.entries(value));
  return (
    [kind, name].every((text) => typeof text === 'string') &&
    labels.includes(label) &&
    ['string', 'undefined'].includes(typeof rule) &&
    Array.isArray(edits) &&
    edits.length > 0 &&
    edits.every((edit) => Array.isArray(edit) && edit.length <= 2 && typeof edit[0] === 'string')
  );
}
