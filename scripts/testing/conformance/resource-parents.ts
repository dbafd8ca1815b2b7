import { resourceTypeInPath } from '../requests/operations.ts';
import { templateNames } from '../requests/path-template.ts';
import { keyOfResource, type ResourceId } from '../requests/resource-ids.ts';
import type { GeneratedRequest } from '../requests/serialize.ts';

/** Which resources contain others: the board of a column, and the board and the column of a card. */
export interface ResourceParents {
  /** Notes that resources were found below the resources that the path of a request names. */
  learn(request: GeneratedRequest, found: readonly ResourceId[]): void;
  /** Replaces the IDs in a path by those of the resources that contain the last resource whose parents are known. */
  placed(request: GeneratedRequest): GeneratedRequest;
}

/** Creates a store without resources. */
export function createResourceParents(): ResourceParents {
  const parents = new Map<string, ReadonlyMap<string, unknown>>();
  return {
    learn(request, found) {
      const above = idsInPathOf(request);
      if (above.length === 0) return;
      for (const { kind, id } of found) {
        // A response may name the resources of its own path.
        if (above.some((each) => isSame(each, { kind, id }))) continue;
        parents.set(keyOfResource({ kind, id }), new Map(above.map((each) => [each.kind, each.id])));
      }
    },
    placed(request) {
      const ids = idsInPathOf(request);
      const known = ids.findLast((each) => parents.has(keyOfResource(each)));
      const above = known && parents.get(keyOfResource(known));
      if (!known || !above) return request;
      const before = ids.slice(0, ids.indexOf(known));
      const path = Object.fromEntries(
        before.flatMap(({ name, kind }) => (above.has(kind) ? [[name, above.get(kind)]] : [])),
      );
      return { ...request, path: { ...request.path, ...path } };
    },
  };
}

/** Returns the IDs in the path of a request, with the names of their parameters. */
export const idsInPathOf = ({ operation, path }: GeneratedRequest): (ResourceId & { name: string })[] =>
  templateNames(operation.path).flatMap((name) => {
    const kind = resourceTypeInPath(operation, name);
    return kind === undefined ? [] : [{ name, kind, id: path[name] }];
  });

const isSame = (one: ResourceId, other: ResourceId): boolean => keyOfResource(one) === keyOfResource(other);
