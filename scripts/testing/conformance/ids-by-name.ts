import { isObject } from '../../../server/lib/json-object.ts';
import { resourceTypeInPath, type TestedOperation } from '../requests/operations.ts';
import type { ResourceId } from '../requests/resource-ids.ts';
import { itemsOf } from './behavior/next-page.ts';

/**
 * Returns a function that finds the IDs of resources in a response body, even if its schemas have no `x-id-of`. An ID is any
 * property that is named like a path parameter of an operation. In a response of a collection, it can also be the property `id`
 * or, for a POST, the whole body.
 */
export function idsByName(
  operations: readonly TestedOperation[],
): (operation: TestedOperation, body: unknown) => ResourceId[] {
  const types = typesByParameter(operations);
  const itemParameterOf = itemParametersOf(operations);
  return (operation, body) => {
    const own = itemParameterOf(operation);
    const kind = own && resourceTypeInPath(own.operation, own.name);
    const items = Array.isArray(body) ? body : [body, ...(itemsOf(body) ?? [])];
    return items.flatMap((item: unknown) => {
      const given = isObject(item)
        ? (item[own?.name ?? 'id'] ?? item.id)
        : operation.method === 'post'
          ? item
          : undefined;
      return [
        ...(kind !== undefined && isId(given) ? [{ kind, id: given }] : []),
        ...(isObject(item) ? idsInProperties(item, types) : []),
      ];
    });
  };
}

/**
 * Returns a function that returns the type of the resources in a collection; undefined if an operation is that of no
 * collection.
 */
export function ownKindsOf(
  operations: readonly TestedOperation[],
): (operation: TestedOperation) => string | undefined {
  const itemParameterOf = itemParametersOf(operations);
  return (operation) => {
    const own = itemParameterOf(operation);
    return own && resourceTypeInPath(own.operation, own.name);
  };
}

/**
 * Returns a function that returns the parameter that follows the path of a collection: `ticketId` of `/tickets/{ticketId}/qr`
 * for `/tickets`. It also does for `/shows/{showId}/tickets`, if nothing follows that path.
 */
function itemParametersOf(operations: readonly TestedOperation[]) {
  const byCollection = new Map<string, { operation: TestedOperation; name: string }>();
  for (const operation of operations)
    for (const { index, 1: name = '' } of operation.path.matchAll(/\/\{([^/}]+)\}(?=\/|$)/g)) {
      const collection = operation.path.slice(0, index);
      if (!byCollection.has(collection)) byCollection.set(collection, { operation, name });
    }
  return ({ path }: TestedOperation) => {
    const last = path.slice(path.lastIndexOf('/'));
    return byCollection.get(path) ?? (last.includes('{') ? undefined : byCollection.get(last));
  };
}

/** Returns the types of resources by the names of path parameters. Excludes `id`, because it is ambiguous. */
function typesByParameter(operations: readonly TestedOperation[]): ReadonlyMap<string, ReadonlySet<string>> {
  const types = new Map<string, Set<string>>();
  for (const { in: location, name, resourceType } of operations.flatMap(({ parameters }) => parameters))
    if (location === 'path' && name !== 'id' && resourceType !== undefined)
      types.set(name, (types.get(name) ?? new Set()).add(resourceType));
  return types;
}

/** Returns the values of properties that have the name of a path parameter. */
const idsInProperties = (
  item: Record<string, unknown>,
  types: ReadonlyMap<string, ReadonlySet<string>>,
): ResourceId[] =>
  Object.entries(item).flatMap(([name, id]) =>
    isId(id) ? [...(types.get(name) ?? [])].map((kind) => ({ kind, id })) : [],
  );

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
