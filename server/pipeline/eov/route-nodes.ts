import type { Route } from './compile.ts';
import { type PreparedOperation, resolve } from './read-operations.ts';

/** Returns the path item and the operation of a route. @param document a document whose paths have no base path */
export function nodesAt(document: { paths?: object }, { openApiRoute, basePath, method }: Route) {
  const item = resolve(document, Reflect.get(document.paths ?? {}, openApiRoute.slice(basePath.length)));
  return { item, operation: resolve(document, item[method.toLowerCase()]) };
}

export const operationAt = (document: { paths?: object }, route: Route): PreparedOperation =>
  nodesAt(document, route).operation;
