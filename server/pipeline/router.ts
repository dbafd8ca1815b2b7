import type { IncomingMessage } from 'node:http';
import { PipelineError } from './errors.ts';
import type { CompiledOperation } from './operation.ts';
import type { PathTree } from './path-tree.ts';

/** The operation and path parameters of a request, or the error that is returned after authentication. */
export type RouteMatch =
  | { operation: CompiledOperation; path: Record<string, unknown>; error?: undefined }
  | { operation?: undefined; path?: undefined; error: PipelineError };

/** The operations of a path. */
export interface Route {
  /** The operations, each with the names of its path parameters. */
  byMethod: ReadonlyMap<string, { operation: CompiledOperation; names: readonly string[] }>;
  error: PipelineError;
}

/**
 * Creates a function that finds the operation of a request.
 * @param tree an empty path tree
 */
export function createRouter(
  operations: readonly CompiledOperation[],
  tree: PathTree<Route>,
): (req: Pick<IncomingMessage, 'url' | 'method'>) => RouteMatch {
  // Paths that differ only in parameter names are the same path. Their operations have different methods.
  const shapeOf = ({ path }: CompiledOperation) => path.replaceAll(/\{[^}]*\}/g, '{}');
  // `Map.groupBy` would exclude Node 20, where the mock inside tests runs too.
  const groups = new Map<string, CompiledOperation[]>();
  for (const operation of operations)
    groups.set(shapeOf(operation), [...(groups.get(shapeOf(operation)) ?? []), operation]);
  for (const group of groups.values()) {
    const byMethod = new Map(
      group.map((operation) => [
        operation.method.toUpperCase(),
        { operation, names: Array.from(operation.path.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name) },
      ]),
    );
    const methods = [...byMethod.keys()].join(', ');
    const error = new PipelineError('methodNotAllowed', {
      message: `This path supports ${methods}.`,
      headers: { Allow: methods },
    });
    tree.add(group[0]?.path ?? '', { byMethod, error });
  }
  const pathNotFound: RouteMatch = { error: new PipelineError('pathNotFound') };

  return ({ url = '', method = '' }) => {
    const found = tree.find(pathIn(url));
    if (!found) return pathNotFound;
    const match = found.value.byMethod.get(method);
    if (!match) return { error: found.value.error };
    const path = decoded(match.names, found.parameters);
    // If the URL cannot be decoded, the pipeline rejects it after authentication, before it throws this error.
    return path ? { operation: match.operation, path } : pathNotFound;
  };
}

function pathIn(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** @returns undefined if a value cannot be decoded */
function decoded(names: readonly string[], values: readonly string[]) {
  const path: Record<string, unknown> = {};
  try {
    for (const [index, name] of names.entries()) {
      const value = values[index] ?? '';
      path[name] = value.includes('%') ? decodeURIComponent(value) : value;
    }
    return path;
  } catch {
    return undefined;
  }
}
