import { oncePer } from '../../lib/once.ts';
import { exampleRequests } from '../requests/examples.ts';
import type { TestedOperation } from '../requests/operations.ts';
import { isSerializable } from '../requests/parameters.ts';
import { resourceTypeOf } from '../requests/resource-ids.ts';
import type { TestCase } from '../requests/serialize.ts';
import { validRequests } from '../requests/valid-requests.ts';
import { tryGenerate } from '../schema-values/arbitrary.ts';
import { resolved, schemaProperties } from '../schema-values/object-schema.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { byProperties, linksTo } from './behavior/resource.ts';
import { ownKindsOf } from './ids-by-name.ts';
import type { ResourcePool } from './resource-pool.ts';
import type { Session } from './session.ts';

/** Gives requests the resources that they name, because a request to a missing one gets 404 and tests nothing else. */
export interface ExistingResources {
  /** Creates the resources that requests to an operation name, or finds them in lists, if none is known. */
  prepare(operation: TestedOperation): Promise<void>;
  /** Replaces the IDs in a path by created or documented ones, but not in the part that a test case is about. */
  named(attempt: TestCase): TestCase;
}

/** Maximum number of requests that try to create a resource. */
const maxCreates = 4;

/**
 * @param operations those that may be called: creates are also sent if only other operations are tested
 * @param requests the request view of the contract
 */
export function createExistingResources(
  session: Pick<Session, 'tryOut' | 'responses'>,
  operations: readonly TestedOperation[],
  requests: SchemaContext,
  pool: ResourcePool,
): ExistingResources {
  const tried = new Set<string>();

  /** Returns the types of the resources that requests to an operation name, in parameters and in the body. */
  const kindsOf = oncePer(({ parameters, body }: TestedOperation): string[] => [
    ...parameters.flatMap(({ resourceType }) => resourceType ?? []),
    ...(body?.content ?? [])
      .flatMap(({ schema }) => Object.values(schemaProperties(requests, schema)))
      .flatMap((property) => resourceTypeOf(requests, property) ?? []),
  ]);

  /** Returns the types that `x-id-of` gives to properties of a response, or of its items. */
  const kindsReturnedBy = oncePer((operation: TestedOperation): string[] =>
    Object.entries(operation.responses)
      .flatMap(([status, { content }]) => (status.startsWith('2') ? content : []))
      .map(({ schema }) => resolved(session.responses, schema))
      .flatMap((schema) => [schema, (typeof schema === 'object' && schema.items) || true])
      .flatMap((schema) => Object.values(schemaProperties(session.responses, schema)))
      .flatMap((property) => resourceTypeOf(session.responses, property) ?? []),
  );

  const ownKindOf = ownKindsOf(operations);
  const linking = new Set(
    operations.filter(({ responses }) => Object.values(responses).some(({ links }) => links.length > 0)),
  );

  /** Returns the operations whose responses name resources of a type: first those that create one, then lists. */
  const sourcesOf = (kind: string): TestedOperation[] => {
    const targets = operations.filter((each) => kindsOf(each).includes(kind));
    const isSource = (each: TestedOperation) =>
      ownKindOf(each) === kind ||
      (linking.has(each) && targets.some((target) => linksTo(each, target))) ||
      (!targets.includes(each) && kindsReturnedBy(each).includes(kind));
    return ['post', 'get'].flatMap((wanted) =>
      operations.filter((each) => each.method === wanted && isSource(each)),
    );
  };

  async function find(kind: string): Promise<void> {
    // A create that was not accepted is not sent again, nor one that needs its own result.
    if (tried.has(kind) || pool.known(kind).length > 0) return;
    tried.add(kind);
    for (const operation of sourcesOf(kind)) {
      await prepare(operation);
      const attempts = tryGenerate(() => {
        const requested = validRequests(requests, operation);
        const valid = requested.map((request): TestCase => ({ request, what, wrong: undefined }));
        return [...exampleRequests(requests, { operation, valid }), ...byProperties({ valid })];
      });
      for (const attempt of attempts?.slice(0, maxCreates) ?? []) {
        await session.tryOut(named(attempt));
        pool.settle();
        if (pool.known(kind).length === 0) continue;
        tried.delete(kind);
        return;
      }
    }
  }

  async function prepare(operation: TestedOperation): Promise<void> {
    pool.settle();
    for (const kind of kindsOf(operation)) await find(kind);
  }

  function named(attempt: TestCase): TestCase {
    const { request, part = attempt.wrong?.field } = attempt;
    const path = { ...request.path };
    for (const parameter of request.operation.parameters.filter((each) => each.in === 'path')) {
      const known = pool.known(parameter.resourceType ?? '').toReversed();
      const id = [...known, ...parameter.examples].find(
        (each) => requests.isValid(parameter.schema, each) && isSerializable(parameter, each),
      );
      if (id !== undefined && part !== `path/${parameter.name}`) path[parameter.name] = id;
    }
    return { ...attempt, request: { ...request, path } };
  }
  return { prepare, named };
}

const what = 'a create before the tests of what it contains';
