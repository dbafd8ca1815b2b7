import type { IncomingMessage } from 'node:http';
import { isPublic } from './authorize.ts';
import type { Security } from './compiled-contract.ts';
import { PipelineError } from './errors.ts';
import type { CompiledOperation } from './operation.ts';
import { createPathTree } from './path-tree.ts';

/** The operation and the encoded path parameters of a request, or the error that is returned after authentication. */
export type RouteMatch =
  | {
      operation: CompiledOperation;
      path: Readonly<Record<string, string>>;
      error?: undefined;
      security?: undefined;
    }
  | { operation?: undefined; path?: undefined; error: PipelineError; security: Security };

/** An operation and the names of its path parameters. */
export interface RoutedOperation {
  operation: CompiledOperation;
  names: readonly string[];
}

/** Returns the security of requests without an operation: they need credentials if any operation does. */
export const securityOutside = (operations: readonly CompiledOperation[]): Security =>
  operations.every(({ security }) => isPublic(security)) ? [] : [{ any: [] }];

/**
 * Creates a function that finds the operation of a request.
 * @param headAsGet whether HEAD reaches the operation of GET
 */
export function createRouter(
  operations: readonly CompiledOperation[],
  headAsGet = false,
): (req: Pick<IncomingMessage, 'url' | 'method'>) => RouteMatch {
  const security = securityOutside(operations);
  const ofServers = new Set(operations.map(({ basePath }) => `${basePath}/`));
  const tree = createPathTree<{ byMethod: ReadonlyMap<string, RoutedOperation>; otherwise: RouteMatch }>();
  for (const [template, byMethod] of groupByPath(operations, ({ path }) => path)) {
    const value = { byMethod, otherwise: { error: methodNotAllowed([...byMethod.keys()]), security } };
    tree.add(template, value);
    // The path of a server is that of `/`, too.
    if (ofServers.has(template)) tree.add(template.slice(0, -1), value);
  }
  const pathNotFound: RouteMatch = { error: new PipelineError('pathNotFound'), security };

  return ({ url = '', method = '' }) => {
    const found = tree.find(url.split('?', 1)[0] ?? '');
    if (!found) return pathNotFound;
    const { byMethod, otherwise } = found.value;
    const match = byMethod.get(method) ?? (headAsGet && method === 'HEAD' ? byMethod.get('GET') : undefined);
    return match ? matchOf(match, found.parameters) : otherwise;
  };
}

/** Groups operations by path template. Paths that differ only in parameter names are the same path. */
export function groupByPath(
  operations: readonly CompiledOperation[],
  templateOf: (operation: CompiledOperation) => string,
): Map<string, Map<string, RoutedOperation>> {
  const shapes = new Map<string, string>();
  const groups = new Map<string, Map<string, RoutedOperation>>();
  for (const operation of operations) {
    const template = templateOf(operation);
    const shape = template.replaceAll(/\{[^}]*\}/g, '{}');
    const first = shapes.get(shape) ?? template;
    shapes.set(shape, first);
    const names = Array.from(template.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name);
    const group = groups.get(first) ?? new Map();
    groups.set(first, group.set(operation.method.toUpperCase(), { operation, names }));
  }
  return groups;
}

/** Returns the error for a method that a path does not have. */
export const methodNotAllowed = (methods: readonly string[]): PipelineError =>
  new PipelineError('methodNotAllowed', {
    message: `This path supports ${methods.join(', ')}.`,
    headers: { Allow: methods.join(', ') },
  });

/** Returns an operation with its path parameters. @param values their encoded values */
export function matchOf({ operation, names }: RoutedOperation, values: readonly string[]): RouteMatch {
  return { operation, path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) };
}
