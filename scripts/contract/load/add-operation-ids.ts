import { objectOf } from '../../../server/lib/json-object.ts';
import { type Contract, createContract } from '../model/contract.ts';

/**
 * Gives an ID to each operation that has none and whose derived ID another operation already has. Tools derive the IDs of
 * all other operations without one.
 * @returns the contract, or a copy if an ID was added
 */
export function addOperationIds(contract: Contract): Contract {
  const { document, operations, locate } = contract;
  const taken = new Set<unknown>(operations.map(({ node }) => node.operationId));
  const paths = { ...document.paths };
  let isChanged = false;
  for (const { id: derived, path, method, node } of operations) {
    if (node.operationId !== undefined) continue;
    const operationId = unusedId(derived, taken);
    taken.add(operationId);
    if (operationId === derived) continue;
    paths[path] = { ...objectOf(paths[path]), [method]: { ...node, operationId } };
    isChanged = true;
  }
  return isChanged ? createContract({ ...document, paths }, locate) : contract;
}

function unusedId(wanted: string, taken: ReadonlySet<unknown>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}${number}`)) number += 1;
  return `${wanted}${number}`;
}
