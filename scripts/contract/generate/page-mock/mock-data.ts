import { oncePer } from '../../../lib/once.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import { scopesIn } from '../../mock/authenticate.ts';
import type { MarkedLocations, MockContract, MockData } from '../../mock/mock-contract.ts';
import type { PromiseName } from '../../mock/mock-types.ts';
import { readExamples } from '../../mock-server/read-examples.ts';
import type { Contract } from '../../model/contract.ts';
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
  // Many responses have the same schema.
  const locationsIn = oncePer(
    ({ schema, isError }: { schema: JsonSchema; isError: boolean }) =>
      markedLocationsOf(values().context, schema, marked, isError),
    JSON.stringify,
  );
  const locationsOf = (id: string): Record<string, MarkedLocations> =>
    Object.fromEntries(
      Object.entries(operationOf(id).responses).flatMap(([status, { content }]) => {
        const [first] = content;
        const found = first ? locationsIn({ schema: first.schema, isError: /^[45]/.test(status) }) : {};
        return Object.keys(found).length > 0 ? [[status, found]] : [];
      }),
    );
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
