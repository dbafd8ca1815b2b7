import { once, oncePer } from '../../../lib/once.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import { scopesIn } from '../../mock/authenticate.ts';
import type { MarkedLocations, MockContract, MockData } from '../../mock/mock-contract.ts';
import type { PromiseName } from '../../mock/mock-types.ts';
import { readExamples } from '../../mock-server/read-examples.ts';
import type { Contract } from '../../model/contract.ts';
import { createLargestIds } from './largest-ids.ts';
import { hasOpenMarks, markedLocationsOf } from './marked-locations.ts';

export interface DataOptions {
  tokens: MockContract['tokens'];
  /** The additions that the API may make without a new major version. */
  promises: readonly PromiseName[];
}

/** Returns the data of a contract's mock: all examples, and the places that scenarios treat in a special way. */
export function mockDataOf(contract: Contract, { tokens, promises }: DataOptions): MockData {
  const { bodies, operations, operationOf, values } = readExamples(contract);
  const marked = hasOpenMarks(contract.document);
  const largestIdOf = once(() =>
    createLargestIds(
      values().context,
      Object.keys(operations)
        .flatMap((id) => operationOf(id).parameters)
        .filter(({ in: location, name }) => location === 'path' || /id$/i.test(name))
        .map(({ schema }) => schema),
    ),
  );
  // Many responses have the same schema.
  const locationsIn = oncePer(
    ({ schema, isError }: { schema: JsonSchema; isError: boolean }) =>
      markedLocationsOf(values().context, schema, marked, isError, largestIdOf()),
    JSON.stringify,
  );
  const locationsOf = (id: string): Record<string, MarkedLocations> =>
    Object.fromEntries(
      Object.entries(operationOf(id).responses).flatMap(
        ([
          status,
          {
            content: [first],
          },
        ]) => {
          const found = first
            ? withoutRequested(id, locationsIn({ schema: first.schema, isError: /^[45]/.test(status) }))
            : {};
          return Object.keys(found).length > 0 ? [[status, found]] : [];
        },
      ),
    );
  /** Leaves out the largest values of IDs that may have to be those in the path of the request. */
  const withoutRequested = (id: string, { largestIds = {}, ...found }: MarkedLocations): MarkedLocations => {
    const inPath = operationOf(id).parameters.filter((each) => each.in === 'path');
    const kept = Object.entries(largestIds).filter(
      ([location]) => inPath.length === 0 || location.split('/').length > 2,
    );
    return kept.length > 0 ? { ...found, largestIds: Object.fromEntries(kept) } : found;
  };
  return {
    operations: Object.fromEntries(
      Object.entries(operations).map(([id, { examples }]) => [id, { examples, locations: locationsOf(id) }]),
    ),
    bodies,
    scopes: [...scopesIn(contract.document)],
    tokens,
    promises,
  };
}
