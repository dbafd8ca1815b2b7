import type { Operation } from '../requests/operations.ts';
import { fixedLength, namesIn, shapeOf } from '../requests/path-template.ts';
import type { Named } from '../requests/resource-ids.ts';
import type { Answer } from '../requests/send.ts';
import type { Request } from '../requests/serialize.ts';
import { decoded, valueAt } from '../schema-values/json-pointer.ts';
import { isObject } from '../schema-values/schema.ts';
import { parsed } from './error-body.ts';

/** Names of things that answers have shown to be there, by kind. */
export interface Pool {
  /** What was known when it was last settled: it stays the same while one thing is tried and made smaller. */
  known(kind: string): readonly unknown[];
  settle(): void;
  /** Learns from an answer: from `Location`, from links, and from what its body holds. */
  learn(request: Request, answer: Answer): void;
  /** The ids of a kind that one answer names. */
  idsFrom(request: Request, answer: Answer, kind: string): unknown[];
}

/** Enough to choose among; the newest are kept. */
const mostOfAKind = 40;

/** @param operations all of the contract */
export function createPool(operations: readonly Operation[], kinds: KindOf): Pool {
  const ids = new Map<string, unknown[]>();
  let settled = new Map<string, readonly unknown[]>();
  return {
    known: (kind) => settled.get(kind) ?? [],
    settle() {
      settled = new Map(ids);
    },
    learn(request, answer) {
      if (answer.status >= 300) return;
      const { operation, path } = request;
      if (operation.method === 'DELETE')
        // Of several names in a path the last one is what is gone.
        for (const [name, id] of Object.entries(path).filter(([each]) =>
          operation.path.endsWith(`{${each}}`),
        )) {
          const kind = kinds.parameter(operation, name);
          if (kind !== undefined)
            ids.set(
              kind,
              (ids.get(kind) ?? []).filter((each) => String(each) !== String(id)),
            );
        }
      for (const { kind, id } of namedBy(operations, kinds, request, answer)) {
        const before = (ids.get(kind) ?? []).filter((each) => each !== id);
        ids.set(kind, [...before, id].slice(-mostOfAKind));
      }
    },
    idsFrom: (request, answer, wanted) =>
      namedBy(operations, kinds, request, answer).flatMap(({ kind, id }) => (kind === wanted ? [id] : [])),
  };
}

/** Everything that an answer names: by its `Location` first, by links, and in its body. */
function namedBy(operations: readonly Operation[], kinds: KindOf, request: Request, answer: Answer): Named[] {
  const body = parsed(answer.text)?.value;
  const place = answer.headers.location;
  return [
    ...(place ? idsInPath(operations, kinds, place) : []).flatMap(asTextAndNumber),
    ...linkedIds(operations, kinds, request, { ...answer, body }),
    ...kinds.inBody(request.operation, answer, body),
    ...listedIds(request.operation, operations, kinds, body),
  ];
}

/** A text of digits may be the name of what is numbered: its schema decides which of them fits. */
const asTextAndNumber = ({ kind, id }: Named): Named[] =>
  typeof id === 'string' && /^(0|[1-9]\d{0,15})$/.test(id)
    ? [
        { kind, id: Number(id) },
        { kind, id },
      ]
    : [{ kind, id }];

/** What a path parameter names, and what the schemas of an answer call ids. */
export interface KindOf {
  parameter: (operation: Operation, name: string) => string | undefined;
  /** Ids in an answer's body that its schema names. */
  inBody: (operation: Operation, answer: Answer, body: unknown) => Named[];
}

/** The ids in a path or address, as the templates of the contract have them. */
function idsInPath(operations: readonly Operation[], kinds: KindOf, address: string): Named[] {
  const path = URL.parse(address, 'http://here')?.pathname ?? '';
  // The template that says most comes first; the server's own base path may stand before it.
  const bySaying = operations.toSorted((one, other) => fixedLength(other.path) - fixedLength(one.path));
  for (const operation of bySaying) {
    const names = namesIn(operation.path);
    const match = names.length > 0 ? shapeOf(operation.path, 'below any path').exec(path) : null;
    if (match)
      return names.flatMap((name, index) => {
        const kind = kinds.parameter(operation, name);
        return kind === undefined ? [] : [{ kind, id: decoded(match[index + 1] ?? '') }];
      });
  }
  return [];
}

function linkedIds(
  operations: readonly Operation[],
  kinds: KindOf,
  request: Request,
  answer: Answer & { body: unknown },
): Named[] {
  const { responses } = request.operation;
  const links = (responses[String(answer.status)] ?? responses['2XX'] ?? responses.default)?.links ?? [];
  return links.flatMap(({ operationId, parameters }) => {
    const target = operations.find(
      ({ id, method, path }) => operationId === id || operationId === `${method} ${path}`,
    );
    return Object.entries(parameters).flatMap(([name, expression]) => {
      const kind = target && kinds.parameter(target, name.replace(/^path\./, ''));
      const id = evaluate(expression, request, answer);
      return kind === undefined || id === undefined ? [] : [{ kind, id }];
    });
  });
}

/** A runtime expression of OpenAPI (section 4.8.20.3), as far as ids are found by it. */
export function evaluate(expression: unknown, request: Request, answer: Answer & { body: unknown }): unknown {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression;
  const [, side, place, rest = ''] =
    /^\$(request|response)\.(body|header|path|query)(?:[.#](.*))?$/.exec(expression) ?? [];
  if (side === 'response' && place === 'header') return answer.headers[rest.toLowerCase()];
  if (place === 'body') return valueAt(side === 'response' ? answer.body : request.body?.value, rest);
  if (side === 'request' && (place === 'path' || place === 'query')) return request[place][rest];
  return undefined;
}

/** Without a word of the schema: the `id` of what a collection lists or makes, or what it makes where that is an id. */
function listedIds(
  operation: Operation,
  operations: readonly Operation[],
  kinds: KindOf,
  body: unknown,
): Named[] {
  const items = operations.find(
    ({ path }) => /^\/\{[^/}]+\}$/.test(path.slice(operation.path.length)) && path.startsWith(operation.path),
  );
  const [, name = ''] = /\{([^}]+)\}$/.exec(items?.path ?? '') ?? [];
  const kind = items && kinds.parameter(items, name);
  if (kind === undefined) return [];
  return (Array.isArray(body) ? body : [body]).flatMap((item) => {
    const id = isObject(item) ? (item[name] ?? item.id) : operation.method === 'POST' ? item : undefined;
    return typeof id === 'string' || typeof id === 'number' ? [{ kind, id }] : [];
  });
}
