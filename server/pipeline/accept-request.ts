import type { IncomingMessage } from 'node:http';
import { describeFieldErrors, type FieldError } from '../lib/field-error.ts';
import { authorize, isPublic } from './authorize.ts';
import { PipelineError } from './errors.ts';
import type { Exchange, ValidatedInput } from './exchange.ts';
import type { CompiledOperation, Security } from './operation.ts';
import { assertDecodableUrl } from './parameters.ts';
import { hasParsableBody, noBody, readBody } from './read-body.ts';
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
export async function acceptRequest<Caller>(
  exchange: Exchange<Caller>,
  { operation, path, error }: RouteMatch,
  anySecured: boolean,
  { authenticate, addressOf = peerOf, checks = {}, bodyLimit = 1_048_576 }: AcceptOptions<Caller>,
): Promise<{ operation: CompiledOperation; input: ValidatedInput }> {
  const { req, res } = exchange;
  const security: Security = operation?.security ?? (anySecured ? [{ any: [] }] : []);
  const admission = isPublic(security) ? undefined : await authenticate(credentialsOf(exchange, addressOf));
  exchange.caller = admission?.caller;
  Object.assign(exchange.headers, admission?.headers);

  assertDecodableUrl(req.url ?? '/');
  if (!operation) throw error;
  authorize(security, admission?.scopes ?? new Set());

  const body = hasParsableBody(req, operation) ? await readBody(req, res, operation, bodyLimit) : noBody;
  const input = validateRequest(operation, req, path, body);
  exchange.input = input;
  const problems = checks[operation.id]?.(input) ?? [];
  if (problems.length > 0) throw new PipelineError('validationFailed', describeFieldErrors(problems));
  return { operation, input };
}

function credentialsOf(
  { req, operation }: Exchange<unknown>,
  addressOf: (req: IncomingMessage) => string,
): RequestCredentials {
  // Reads the address now: Node caches it on first access, and cannot return it after the peer has disconnected.
  peerOf(req);
  return {
    headers: req.headers,
    url: req.url ?? '/',
    address: () => addressOf(req),
    operation: operation?.id,
  };
}

const peerOf = (req: IncomingMessage): string => req.socket.remoteAddress ?? '';
