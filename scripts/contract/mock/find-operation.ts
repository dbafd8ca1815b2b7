import { basePathsOf } from '../../../server/pipeline/base-paths.ts';
import { deriveOperationId } from '../../../server/pipeline/operation-id.ts';
import { createPathTree } from '../../../server/pipeline/path-tree.ts';
import type { OpenApiDocument, OperationObject } from '../../lib/openapi-document.ts';

export interface FoundOperation {
  id: string;
  /** The documented statuses: `200`, `4XX`, `default`. */
  statuses: readonly string[];
}

/** Returns a function that finds the operation of a request. @param document a bundled contract */
export function createOperationLookup(
  document: OpenApiDocument,
): (method: string, path: string) => FoundOperation | undefined {
  const tree = createPathTree<{ path: string; item: Record<string, OperationObject | undefined> }>();
  for (const base of basePathsOf(document.servers))
    for (const [path, item] of Object.entries(document.paths ?? {}))
      tree.add(base + path, { path, item: { ...item } as Record<string, OperationObject | undefined> });
  return (method, path) => {
    const found = tree.find(path)?.value;
    const operation = found?.item[method.toLowerCase()];
    if (!found || !operation) return undefined;
    return {
      id: operation.operationId ?? deriveOperationId(method, found.path),
      statuses: Object.keys(operation.responses ?? {}),
    };
  };
}
