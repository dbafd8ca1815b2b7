import { readYaml } from '../../../support/read-yaml.ts';
import type { ContractChange, Edit } from './contract-change.ts';

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
