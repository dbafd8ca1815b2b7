import { acceptRequest } from '../../../server/contract/accept-request.ts';
import { documentedErrors } from '../../../server/contract/documented-errors.ts';
import { listedErrors, PipelineError } from '../../../server/contract/errors.ts';
import { type RequestHead, startState, type ValidatedInput } from '../../../server/contract/exchange.ts';
import type { CompiledOperation } from '../../../server/contract/operation.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { createRouter, type RouteMatch } from '../../../server/contract/router.ts';
import { type FetchState, fetchSource } from '../../../server/http/fetch/fetch-source.ts';
import { parseParameters } from '../../../server/validation/parameters/parse-parameters.ts';
import { once } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { SerializedRequest } from '../../testing/requests/serialize.ts';
import { compileContract } from '../compile/compile-contract.ts';
import { anyCredentials } from '../mock/authenticate.ts';

/** The verdict of a version of a contract on a request. Parts are named as in error responses: `query/page`, `body`. */
export type Verdict = {
  /** The path template of the operation, with its base path and without names: `/v2/books/{}`. Undefined if the path does not exist. */
  route: string | undefined;
} & (
  | {
      isAccepted: true /** The texts of all scalar values that are read, by part. */;
      read: ReadonlyMap<string, readonly string[]>;
    }
  | { isAccepted: false; status: number; reason: string; parts: readonly string[] }
);

/** A request with the scopes of its credentials. */
export interface JudgedRequest {
  wire: SerializedRequest;
  scopes: readonly string[];
}

/** Returns the verdict of a contract; undefined if the contract cannot be enforced there, so that nothing can be tried. */
export type JudgeRequest = (request: JudgedRequest) => Promise<Verdict | undefined>;

/**
 * Creates a function that decides about requests as the mock and the middleware do.
 * @param document a bundled OpenAPI 3.1 document
 */
export function createRequestJudge(document: OpenApiDocument): JudgeRequest {
  const compiled = once(() => enforce(document));
  return async ({ wire, scopes }) => {
    const enforced = compiled();
    if (!enforced) return undefined;
    const { contract, matchOf } = enforced;
    const head = headOf(wire);
    const body = new TextEncoder().encode(wire.body ?? '');
    const match = matchOf(head);
    const state: FetchState<'mock'> = { ...startState(head, match.operation), body };
    try {
      const { operation, input } = await acceptRequest(
        state,
        match,
        anyCredentials(contract, new Set(scopes)),
        fetchSource,
      );
      return {
        route: routeOf(match),
        isAccepted: true,
        read: textsIn(input, cookiesOf(operation, head, match)),
      };
    } catch (error) {
      return error instanceof PipelineError ? rejectionBy(error, match) : undefined;
    }
  };
}

/** Returns the functions that enforce a contract; undefined if it cannot be compiled. */
function enforce(document: OpenApiDocument) {
  try {
    const contract = compileContract(document);
    return { contract, matchOf: createRouter(operationsOf(contract)) };
  } catch {
    return undefined;
  }
}

function headOf({ method, basePath = '', target, headers, body }: SerializedRequest): RequestHead {
  const pairs = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name.toLowerCase(), value] as const),
  );
  const length = body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))] as const];
  return {
    method,
    url: basePath + target,
    headers: Object.fromEntries([...pairs, ...length]),
    rawHeaders: pairs.flat(),
  };
}

const routeOf = ({ operation }: RouteMatch): string | undefined =>
  operation?.path.replaceAll(/\{[^}]+\}/g, '{}');

function rejectionBy({ kind, details }: PipelineError, match: RouteMatch): Verdict {
  const { operation } = match;
  const response = documentedErrors.respond(kind, details, operation);
  const listed = listedErrors(response);
  const reasons = listed.map(({ field, message }) => `${field} ${message}`);
  return {
    route: routeOf(match),
    isAccepted: false,
    status: response.status,
    reason: reasons.length > 0 ? reasons.join('; ') : response.message,
    parts: listed.length > 0 ? listed.map(({ field }) => partOf(field)) : [partOfKind[kind] ?? 'body'],
  };
}

/** The parts that errors without a location concern. */
const partOfKind: Readonly<Record<string, string>> = {
  pathNotFound: 'route',
  methodNotAllowed: 'route',
  tokenMissing: 'credentials',
  tokenUnknown: 'credentials',
  scopeMissing: 'credentials',
};

/** Returns the part of a location: `query/page` of `query/page/0`, and `body` of every location in it. */
function partOf(field: string): string {
  const [location = '', name] = field.split('/');
  if (location === '' || location === 'body' || /^header\/content-type$/i.test(field)) return 'body';
  if (name === undefined) return location;
  return `${location}/${location === 'header' ? name.toLowerCase() : name}`;
}

/** The input of handlers has no cookies. */
const cookiesOf = (operation: CompiledOperation, head: RequestHead, { path = {} }: RouteMatch): object =>
  parseParameters(
    operation.parameters,
    { query: '', path, headers: head.headers, rawHeaders: head.rawHeaders },
    operation.accepts,
  ).cookies;

function textsIn({ path, query, headers, body }: ValidatedInput, cookies: object): Map<string, string[]> {
  const read = new Map<string, string[]>();
  for (const [location, values] of Object.entries({ path, query, header: headers, cookie: cookies }))
    for (const [name, value] of Object.entries(values)) read.set(`${location}/${name}`, textsOf(value));
  if (body !== undefined) read.set('body', textsOf(body));
  return read;
}

function textsOf(value: unknown): string[] {
  if (value instanceof Uint8Array) return [`${value.length} bytes`];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsOf)
    : [String(value)];
}
