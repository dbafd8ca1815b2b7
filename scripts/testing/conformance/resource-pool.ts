import { percentDecode, resolvePointer } from '../../lib/json-pointer.ts';
import { leadsTo, resourceTypeInPath, type TestedOperation } from '../requests/operations.ts';
import { fixedLength, pathShape, templateNames } from '../requests/path-template.ts';
import { idsIn, keyOfResource, type ResourceId } from '../requests/resource-ids.ts';
import type { HttpResponse } from '../requests/send.ts';
import type { GeneratedRequest } from '../requests/serialize.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { bodyIn, documentedResponse } from './check-response.ts';
import { idsByName, ownKindsOf } from './ids-by-name.ts';

/** IDs of existing resources, by type, learned from responses. */
export interface ResourcePool {
  /** Returns the IDs known at the last `settle`, so that they do not change while a request is shrunk. */
  known(kind: string): readonly unknown[];
  settle(): void;
  /** Adds the IDs in a response (in `Location`, links and body). After a DELETE, removes the ID of the resource. */
  learn(request: GeneratedRequest, response: HttpResponse): void;
  /** Replaces the IDs in a path by those of the resources that contain the last one, as responses have shown. */
  placed: ResourceParents['placed'];
  /** Returns the IDs of a type in one response. */
  idsFrom(request: GeneratedRequest, response: HttpResponse, kind: string): unknown[];
}

/** Maximum number of IDs per type; the newest are kept. */
const maxOfAKind = 40;

/** Creates a pool without IDs. @param operations all operations of the contract */
export function createResourcePool(
  operations: readonly TestedOperation[],
  responses: SchemaContext,
): ResourcePool {
  const ids = new Map<string, unknown[]>();
  let settled = new Map<string, readonly unknown[]>();
  /** Deleted resources, which other ones may still name. */
  const gone = new Set<string>();
  const parents = createResourceParents();
  const templates = templatesOf(operations);
  const findByName = idsByName(operations);
  const ownKindOf = ownKindsOf(operations);
  const namedBy = (request: GeneratedRequest, response: HttpResponse): ResourceId[] => {
    const body = bodyIn(response);
    const { location } = response.headers;
    return [
      ...(location ? idsInPath(templates, location) : []).flatMap(asTextAndNumber),
      ...linkedIds(operations, request, { ...response, body }),
      ...(documentedResponse(request.operation, response.status)?.content ?? []).flatMap(({ schema }) =>
        idsIn(responses, schema, body),
      ),
      ...findByName(request.operation, body),
    ];
  };
  return {
    placed: parents.placed,
    known: (kind) => settled.get(kind) ?? [],
    settle() {
      settled = new Map(ids);
    },
    learn(request, response) {
      if (response.status >= 300) return;
      const { operation } = request;
      // If a path contains several IDs, only the resource of the last one was deleted.
      const isRemoval = operation.method === 'delete' && operation.path.endsWith('}');
      const deleted = isRemoval ? idsInPathOf(request).at(-1) : undefined;
      if (deleted) {
        const left = (ids.get(deleted.kind) ?? []).filter((each) => String(each) !== String(deleted.id));
        ids.set(deleted.kind, left);
        gone.add(keyOfResource(deleted));
      }
      const found = namedBy(request, response);
      parents.learn(request, found);
      const own = ownKindOf(operation);
      const sent = textsIn(request.body?.value);
      for (const { kind, id } of found) {
        const before = ids.get(kind) ?? [];
        // Not every service checks references: that it repeats an ID does not show that the resource exists.
        if (
          kind !== own &&
          ((sent.has(String(id)) && !before.includes(id)) || gone.has(keyOfResource({ kind, id })))
        )
          continue;
        gone.delete(keyOfResource({ kind, id }));
        ids.set(kind, [...before.filter((each) => each !== id), id].slice(-maxOfAKind));
      }
    },
    idsFrom: (request, response, wanted) =>
      namedBy(request, response).flatMap(({ kind, id }) => (kind === wanted ? [id] : [])),
  };
}

/** Returns the texts and numbers in a value. */
function textsIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(value, (_name, inner) => {
    if (typeof inner === 'string' || typeof inner === 'number') found.add(String(inner));
    return inner;
  });
  return found;
}

/** Returns an ID. A string of digits is also returned as a number, because a schema may require either type. */
const asTextAndNumber = ({ kind, id }: ResourceId): ResourceId[] =>
  typeof id === 'string' && /^(0|[1-9]\d{0,15})$/.test(id)
    ? [
        { kind, id: Number(id) },
        { kind, id },
      ]
    : [{ kind, id }];

/** Returns the path templates with parameters, the most specific first. A server's base path may precede a path. */
const templatesOf = (operations: readonly TestedOperation[]) =>
  operations
    .filter(({ path }) => templateNames(path).length > 0)
    .toSorted((one, other) => fixedLength(other.path) - fixedLength(one.path))
    .map((operation) => ({
      operation,
      names: templateNames(operation.path),
      shape: pathShape(operation.path, 'below any path'),
    }));

/** Returns the IDs in a path or URL that matches a template. */
function idsInPath(templates: ReturnType<typeof templatesOf>, address: string): ResourceId[] {
  const path = URL.parse(address, 'http://here')?.pathname ?? '';
  for (const { operation, names, shape } of templates) {
    const match = shape.exec(path);
    if (match)
      return names.flatMap((name, index) => {
        const kind = resourceTypeInPath(operation, name);
        return kind === undefined ? [] : [{ kind, id: percentDecode(match[index + 1] ?? '') }];
      });
  }
  return [];
}

function linkedIds(
  operations: readonly TestedOperation[],
  request: GeneratedRequest,
  response: HttpResponse & { body: unknown },
): ResourceId[] {
  const links = documentedResponse(request.operation, response.status)?.links ?? [];
  return links.flatMap((link) => {
    const target = operations.find((each) => leadsTo(link, each));
    return Object.entries(link.parameters).flatMap(([name, expression]) => {
      const kind = target && resourceTypeInPath(target, name.replace(/^path\./, ''));
      const id = evaluateExpression(expression, request, response);
      return kind === undefined || id === undefined ? [] : [{ kind, id }];
    });
  });
}

/** Evaluates a runtime expression of OpenAPI (section 4.8.20.3). Only expressions that IDs need are supported. */
function evaluateExpression(
  expression: unknown,
  request: GeneratedRequest,
  response: HttpResponse & { body: unknown },
): unknown {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression;
  const [, side, location, rest = ''] =
    /^\$(request|response)\.(body|header|path|query)(?:[.#](.*))?$/.exec(expression) ?? [];
  if (side === 'response' && location === 'header') return response.headers[rest.toLowerCase()];
  if (location === 'body')
    return resolvePointer(side === 'response' ? response.body : request.body?.value, rest);
  if (side === 'request' && (location === 'path' || location === 'query')) return request[location][rest];
  return undefined;
}

/** Which resources contain others: the board of a column, and the board and the column of a card. */
interface ResourceParents {
  /** Notes that resources were found below the resources that the path of a request names. */
  learn(request: GeneratedRequest, found: readonly ResourceId[]): void;
  /** Replaces the IDs in a path by those of the resources that contain the last resource whose parents are known. */
  placed(request: GeneratedRequest): GeneratedRequest;
}

/** Creates a store without resources. */
function createResourceParents(): ResourceParents {
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
const idsInPathOf = ({ operation, path }: GeneratedRequest): (ResourceId & { name: string })[] =>
  templateNames(operation.path).flatMap((name) => {
    const kind = resourceTypeInPath(operation, name);
    return kind === undefined ? [] : [{ name, kind, id: path[name] }];
  });

const isSame = (one: ResourceId, other: ResourceId): boolean => keyOfResource(one) === keyOfResource(other);
