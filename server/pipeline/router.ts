import type { IncomingMessage } from 'node:http';
import { type ErrorResponse, errorResponse } from '../errors.ts';
import type { CompiledOperation } from './operation.ts';
import { createPathTree } from './path-tree.ts';

/** Where a request has arrived: at an operation, or at the refusal to be given once its token is judged. */
export type RouteMatch =
  | { operation: CompiledOperation; path: Record<string, unknown>; error?: undefined }
  | { operation?: undefined; path?: undefined; error: ErrorResponse };

/** What stands at one path of the contract. */
interface Stop {
  byMethod: ReadonlyMap<string, CompiledOperation>;
  error: ErrorResponse;
}

/**
 * Leads requests to the operations of a contract. Express's own router tries one path after the other, so that its
 * time grows with the contract.
 */
export function createRouter(
  operations: readonly CompiledOperation[],
): (req: Pick<IncomingMessage, 'url' | 'method'>) => RouteMatch {
  const tree = createPathTree<Stop>();
  for (const [path, group] of Map.groupBy(operations, (operation) => operation.path)) {
    const byMethod = new Map(group.map((operation) => [operation.method.toUpperCase(), operation]));
    const methods = [...byMethod.keys()].join(', ');
    const error = errorResponse('methodNotAllowed', {
      message: `This path takes ${methods}.`,
      headers: { Allow: methods },
    });
    tree.add(path, { byMethod, error });
  }
  const pathNotFound: RouteMatch = { error: errorResponse('pathNotFound') };
  // The pipeline says so once the token is judged.
  const malformed: RouteMatch = { error: errorResponse('malformedRequest') };

  return ({ url = '', method = '' }) => {
    const found = tree.find(pathIn(url));
    if (!found) return pathNotFound;
    const operation = found.value.byMethod.get(method);
    if (!operation) return { error: found.value.error };
    const path = decoded(found.parameters);
    return path ? { operation, path } : malformed;
  };
}

function pathIn(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** @returns undefined where one cannot be decoded */
function decoded(parameters: readonly (readonly [name: string, value: string])[]) {
  const path: Record<string, unknown> = {};
  try {
    for (const [name, value] of parameters)
      path[name] = value.includes('%') ? decodeURIComponent(value) : value;
    return path;
  } catch {
    return undefined;
  }
}
