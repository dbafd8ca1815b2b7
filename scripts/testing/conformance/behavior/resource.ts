import fc from 'fast-check';
import { isObject } from '../../../../server/lib/json-object.ts';
import type { HttpMethod } from '../../../lib/openapi-document.ts';
import { leadsTo, resourceTypeInPath, type TestedOperation } from '../../requests/operations.ts';
import type { RequestSpace } from '../../requests/request-space.ts';
import type { GeneratedRequest, TestCase } from '../../requests/serialize.ts';
import { withoutOptional } from '../../requests/valid-requests.ts';
import type { TriedRequest } from '../session.ts';

/** The operations on a resource type, each with what its requests need. */
export interface Resource<Space = RequestSpace> {
  kind: string;
  /** The path parameter that contains the ID of the resource. */
  parameter: string;
  create: Space;
  read: Space | undefined;
  update: Space | undefined;
  remove: Space | undefined;
}

/** Returns a name for messages. Without `x-id-of`, the path of the collection is the kind. */
export const nameOf = ({ kind }: Resource): string =>
  kind.startsWith('/') ? `resource of ${kind.replace(/\/$/, '')}` : kind;

/** A resource that a create has returned. */
export interface CreatedResource {
  made: TriedRequest;
  id: unknown;
}

/**
 * Finds resource types with an operation that creates them: a POST on the collection, or a POST whose response links to
 * an operation on the resource.
 * @param all all operations of the contract
 * @param spaces those that may be called: a create can be repeated without the operations on its resource
 */
export function resourcesOf<Space extends { operation: TestedOperation }>(
  all: readonly TestedOperation[],
  spaces: readonly Space[],
): Resource<Space>[] {
  const items = Map.groupBy(
    all.filter(({ path }) => /\/\{[^}]+\}$/.test(path)),
    ({ path }) => path,
  );
  return [...items].flatMap(([path, own]) => {
    const [, parameter = ''] = /\{([^}]+)\}$/.exec(path) ?? [];
    const kind = own[0] && resourceTypeInPath(own[0], parameter);
    const create = spaces.find(
      ({ operation }) =>
        operation.method === 'post' &&
        (operation.path === path.replace(/\/\{[^}]+\}$/, '') || own.some((each) => linksTo(operation, each))),
    );
    const by = (...methods: HttpMethod[]) =>
      spaces.find(({ operation }) => operation.path === path && methods.includes(operation.method));
    if (!create || kind === undefined) return [];
    return [{ kind, parameter, create, read: by('get'), update: by('put', 'patch'), remove: by('delete') }];
  });
}

/** Whether a response of an operation has a link to another operation. */
export const linksTo = (from: TestedOperation, to: TestedOperation): boolean =>
  Object.values(from.responses).some(({ links }) => links.some((link) => leadsTo(link, to)));

/** Drops optional headers and query parameters, because random ones could make a step fail. */
export const plain = (attempt: TestCase): TestCase => ({
  ...attempt,
  request: withoutOptional(attempt.request, ['query', 'header', 'cookie']),
});

/** Returns some requests without optional parameters, those with the most properties in their bodies first. */
export const byProperties = ({ valid }: Pick<RequestSpace, 'valid'>): TestCase[] =>
  fc
    .sample(valid.map(plain), { numRuns: 30, seed: 1 })
    .toSorted((one, other) => propertiesIn(other) - propertiesIn(one));

const propertiesIn = ({ request: { body } }: TestCase): number =>
  isObject(body?.value) ? Object.keys(body.value).length : 0;

/**
 * Returns a request for a created resource, with its ID in the path and the body, below the same resources.
 * @param attempt the request (default: any valid one)
 */
export function requestFor(
  space: RequestSpace,
  { parameter }: Pick<Resource, 'parameter'>,
  { id, made }: CreatedResource,
  what: string,
  attempt: TestCase = anyOf(space),
): TestCase {
  const { request } = attempt;
  const { body } = request;
  const hasId =
    isObject(body?.value) &&
    Object.hasOwn(body.value, parameter) &&
    body.value[parameter] === request.path[parameter];
  const own = body && hasId ? { ...body, value: { ...Object(body.value), [parameter]: id } } : body;
  const path: GeneratedRequest['path'] = { ...request.path, ...made.attempt.request.path, [parameter]: id };
  return { ...attempt, what, request: { ...request, body: own, path } };
}

function anyOf({ valid }: RequestSpace): TestCase {
  const [attempt] = fc.sample(valid.map(plain), { numRuns: 1, seed: 1 });
  if (!attempt) throw new Error('An arbitrary generated no value.');
  return attempt;
}
