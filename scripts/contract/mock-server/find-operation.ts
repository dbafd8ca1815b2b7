import { createPathTree } from '../../../server/pipeline/path-tree.ts';
import type { Contract } from '../model/contract.ts';
import type { Operation } from '../model/operation.ts';

export interface FoundOperation {
  id: string;
  /** The documented statuses: `200`, `4XX`, `default`. */
  statuses: readonly string[];
}

/** Returns a function that finds the operation of a request. */
export function createOperationLookup({
  document,
  basePaths,
  operations,
}: Contract): (method: string, path: string) => FoundOperation | undefined {
  const tree = createPathTree<readonly Operation[]>();
  const byPath = Map.groupBy(operations, ({ path }) => path);
  for (const base of basePaths)
    for (const path of Object.keys(document.paths ?? {})) tree.add(base + path, byPath.get(path) ?? []);
  return (method, path) => {
    const operation = tree.find(path)?.value.find((each) => each.method === method.toLowerCase());
    return operation && { id: operation.id, statuses: Object.keys(operation.responses) };
  };
}
