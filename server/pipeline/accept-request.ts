import type { IncomingMessage } from 'node:http';
import { describeFieldErrors, type FieldError } from '../lib/field-error.ts';
import { authorize, isPublic } from './authorize.ts';
import { PipelineError } from './errors.ts';
import type { RequestState, ValidatedInput } from './exchange.ts';
import type { CompiledOperation, Security } from './operation.ts';
import { assertDecodableUrl } from './parameters.ts';
import { hasParsableBody, noBody, type ReadBody } from './parse-body.ts';
import type { RouteMatch } from './router.ts';
import { validateRequest } from './validate-request.ts';

/** The parts of a request that are available before authentication. */
export interface RequestCredentials {
  headers: IncomingMessage['headers'];
  url: string;
  /**
   * Returns the client's address. It is a function, because each object with a getter would have a separate shape,
   * which slows down garbage collection.
   */
  address: () => string;
  /** The ID of the operation, if the contract has one for this request. */
  operation: string | undefined;
}

export interface AuthResult<Caller> {
  caller: Caller;
  scopes: ReadonlySet<string>;
  /** Headers for every response to this request, such as the state of the caller's rate limit. */
  headers: Record<string, string>;
}

/** What depends on where requests come from: an HTTP server, or the page that contains the mock. */
export interface RequestSource<State> {
  /** Reads and parses a body of at most `limit` bytes. @throws PipelineError */
  readBody: (state: State, operation: CompiledOperation, limit: number) => Promise<ReadBody>;
  /** Returns a function that returns the client's address. */
  addressOf: (state: State, configured: ((req: IncomingMessage) => string) | undefined) => () => string;
}

/** The authentication, checks and limits that a request must pass. */
export interface AcceptOptions<Caller> {
  /** Authenticates a request. @throws ApiError or PipelineError if the credentials are missing or invalid */
  authenticate: (credentials: RequestCredentials) => Promise<AuthResult<Caller>>;
  /** Returns the client's address behind proxies (default: the peer's address). */
  addressOf?: (req: IncomingMessage) => string;
  /** Rules that a schema cannot express and that need no stored data, by operation. */
  checks?: Readonly<Record<string, (input: ValidatedInput) => FieldError[]>>;
  /** Maximum size of a body, in bytes (D04). */
  bodyLimit?: number;
}

/**
 * Decides whether a request is accepted. It authenticates before it reports an unknown path or method, and authorizes
 * before it reads the body (D29).
 * @param anySecured whether any operation of the contract needs credentials
 * @returns the operation and the validated input
 * @throws the error of `authenticate`; PipelineError for every other reason
 */
export async function acceptRequest<Caller, State extends RequestState<Caller>>(
  state: State,
  { operation, path, error }: RouteMatch,
  anySecured: boolean,
  { authenticate, addressOf, checks = {}, bodyLimit = 1_048_576 }: AcceptOptions<Caller>,
  source: RequestSource<State>,
): Promise<{ operation: CompiledOperation; input: ValidatedInput }> {
  const { req } = state;
  const security: Security = operation?.security ?? (anySecured ? [{ any: [] }] : []);
  const admission = isPublic(security)
    ? undefined
    : await authenticate(credentialsOf(state, source.addressOf(state, addressOf)));
  state.caller = admission?.caller;
  Object.assign(state.headers, admission?.headers);

  assertDecodableUrl(req.url ?? '/');
  if (!operation) throw error;
  authorize(security, admission?.scopes ?? new Set());

  const body = hasParsableBody(req, operation) ? await source.readBody(state, operation, bodyLimit) : noBody;
  const input = validateRequest(operation, req, path, body);
  state.input = input;
  const problems = checks[operation.id]?.(input) ?? [];
  if (problems.length > 0) throw new PipelineError('validationFailed', describeFieldErrors(problems));
  return { operation, input };
}

const credentialsOf = (
  { req, operation }: RequestState<unknown>,
  address: () => string,
): RequestCredentials => ({
  headers: req.headers,
  url: req.url ?? '/',
  address,
  operation: operation?.id,
});
