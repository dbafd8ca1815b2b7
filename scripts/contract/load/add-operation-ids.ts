import { objectOf } from '../../../server/lib/json-object.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { createContract } from '../model/contract.ts';

/**
 * Gives an ID to each operation that has none and whose derived ID another operation already has. Tools derive the IDs of
 * all other operations without one.
 * @param document is not changed
 */
export function addOperationIds(document: OpenApiDocument): OpenApiDocument {
  const { operations } = createContract(document);
  const taken = new Set<unknown>(operations.map(({ node }) => node.operationId));
  const paths = { ...document.paths };
  for (const { id: derived, path, method, node } of operations) {
    if (node.operationId !== undefined) continue;
    const operationId = unusedId(derived, taken);
    taken.add(operationId);
    if (operationId !== derived)
      paths[path] = { ...objectOf(paths[path]), [method]: { ...node, operationId } };
  }
  return { ...document, ...(document.paths ? { paths } : {}) };
}

function unusedId(wanted: string, taken: ReadonlySet<unknown>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}${number}`)) number += 1;
  return `${wanted}${number}`;
}
