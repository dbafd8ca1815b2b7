import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { resourceTypeInPath, type TestedOperation } from '../requests/operations.ts';
import type { ResourceId } from '../requests/resource-ids.ts';
import { itemsOf } from './behavior/next-page.ts';

/**
 * Returns the IDs of resources in a response body, even if its schemas have no `x-id-of`. An ID is any property that is
 * named like a path parameter of an operation. In a response of a collection, it can also be the property `id` or, for
 * a POST, the whole body.
 */
export function idsByName(
  operation: TestedOperation,
  operations: readonly TestedOperation[],
  body: unknown,
): ResourceId[] {
  const own = itemParameterOf(operation, operations);
  const kind = ownKindOf(operation, operations);
  const items = Array.isArray(body) ? body : [body, ...(itemsOf(body) ?? [])];
  return items.flatMap((item: unknown) => {
    const given = isObject(item)
      ? (item[own?.name ?? 'id'] ?? item.id)
      : operation.method === 'post'
        ? item
        : undefined;
    return [
      ...(kind !== undefined && isId(given) ? [{ kind, id: given }] : []),
      ...(isObject(item) ? idsInProperties(item, operations) : []),
    ];
  });
}

/** Returns the type of the resources in a collection; undefined if the operation is that of no collection. */
export function ownKindOf(
  operation: TestedOperation,
  operations: readonly TestedOperation[],
): string | undefined {
  const own = itemParameterOf(operation, operations);
  return own && resourceTypeInPath(own.operation, own.name);
}

/** Returns the parameter that follows the path of a collection: `ticketId` of `/tickets/{ticketId}/qr` for `/tickets`. */
function itemParameterOf({ path }: TestedOperation, operations: readonly TestedOperation[]) {
  for (const operation of operations) {
    const [, name] = operation.path.startsWith(path)
      ? (/^\/\{([^/}]+)\}(?:\/|$)/.exec(operation.path.slice(path.length)) ?? [])
      : [];
    if (name !== undefined) return { operation, name };
  }
  return undefined;
}

/** Returns the values of properties that have the name of a path parameter. Excludes `id`, because it is ambiguous. */
function idsInProperties(
  item: Record<string, unknown>,
  operations: readonly TestedOperation[],
): ResourceId[] {
  return operations.flatMap((operation) =>
    operation.parameters.flatMap(({ in: location, name }) => {
      const id = location === 'path' && name !== 'id' ? ownOf(item, name) : undefined;
      const kind = isId(id) ? resourceTypeInPath(operation, name) : undefined;
      return kind === undefined || !isId(id) ? [] : [{ kind, id }];
    }),
  );
}

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
