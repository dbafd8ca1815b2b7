import type { IncomingMessage } from 'node:http';
import { describeFieldErrors, type FieldError } from '../lib/field-error.ts';
import { ownOf } from '../lib/own-property.ts';
import { wordingOf } from '../lib/wording.ts';
import { authenticateAlternatives } from './authenticate-alternatives.ts';
import { authorize, isPublic } from './authorize.ts';
import type { Security } from './compiled-contract.ts';
import type { Authenticate, AuthResult, RequestCredentials } from './credentials.ts';
import { PipelineError } from './errors.ts';
import type { RequestState, ValidatedInput } from './exchange.ts';
import { countFieldLines } from './field-lines.ts';
import { compiledValidation, type MessageValidation } from './message-validation.ts';
import type { CompiledOperation, ReadBody } from './operation.ts';
import { hasParsableBody, noBody } from './parse-body.ts';
import type { RouteMatch } from './router.ts';
import type { SecuritySchemes } from './security-schemes.ts';

/** What depends on where requests come from: an HTTP server, or the page that contains the mock. */
export interface RequestSource<State> {
  /** Reads and parses a body of at most `limit` bytes. @throws PipelineError */
  readBody: (state: State, operation: CompiledOperation, limit: number) => Promise<ReadBody>;
  /** Returns a function that returns the client's address. */
  addressOf: (state: State, configured: ((req: IncomingMessage) => string) | undefined) => () => string;
}

/** Maximum size of a body, in bytes, unless the server sets another one. */
export const defaultBodyLimit = 1_048_576;

/** The authentication, checks and limits that a request must pass. */
export interface AcceptOptions<Caller> {
  /** Authenticates requests (default: the credentials that the contract documents must be present). */
  authenticate?: Authenticate<Caller> | undefined;
  /** The security schemes of the contract, if each alternative of `security` is to be checked by its own schemes. */
  securitySchemes?: SecuritySchemes | undefined;
  /** Returns the client's address behind proxies (default: the peer's address). */
  addressOf?: ((req: IncomingMessage) => string) | undefined;
  /** Rules that a schema cannot express and that need no stored data, by operation. */
  checks?: Readonly<Record<string, (input: ValidatedInput) => FieldError[]>> | undefined;
  /** Maximum size of a body, in bytes. */
  bodyLimit?: number | undefined;
  /** Validates requests and responses (default: the functions of the compiled contract). */
  validation?: MessageValidation | undefined;
}

/**
 * Decides whether a request is accepted. It authenticates before it reports an unknown path or method, and authorizes
 * before it reads the body.
 * @returns the operation and the validated input
 * @throws the error of `authenticate`; Error if the contract of the operation cannot be enforced; PipelineError for every
 * other reason
 */
export async function acceptRequest<Caller, State extends RequestState<Caller>>(
  state: State,
  match: RouteMatch,
  options: AcceptOptions<Caller>,
  source: RequestSource<State>,
): Promise<{ operation: CompiledOperation; input: ValidatedInput }> {
  const { addressOf, checks = {}, bodyLimit = defaultBodyLimit, validation = compiledValidation } = options;
  const { req } = state;
  const { operation, path, error } = match;
  // Node takes the first one, others the last one.
  for (const name of ['Authorization', 'Content-Type'])
    if (countFieldLines(req.rawHeaders, name.toLowerCase()) > 1)
      throw new PipelineError(
        'malformedRequest',
        describeFieldErrors([{ field: `header/${name}`, message: wordingOf('repeated') }]),
      );
  const security = match.operation ? match.operation.security : match.security;
  const admission = security.some((requirement) => Object.keys(requirement).length > 0)
    ? await admit(security, credentialsOf(state, source.addressOf(state, addressOf)), state, options)
    : undefined;
  state.caller = admission?.caller;
  Object.assign(state.headers, admission?.headers);

  assertDecodableUrl(req.url ?? '/');
  if (!operation) throw error;
  if (operation.disabled !== undefined)
    throw new Error(`${operation.id} is disabled, and its requests are refused. ${operation.disabled}`);
  authorize(security, admission?.scopes ?? new Set());

  const body = hasParsableBody(req, operation) ? await source.readBody(state, operation, bodyLimit) : noBody;
  const input = await validation.validateRequest(operation, req, path, body);
  state.input = input;
  const problems = ownOf(checks, operation.id)?.(input) ?? [];
  if (problems.length > 0) throw new PipelineError('validationFailed', describeFieldErrors(problems));
  return { operation, input };
}

/** Authenticates a request, by the schemes of its operation if they are known. */
async function admit<Caller>(
  security: Security,
  credentials: RequestCredentials,
  { req, operation }: RequestState<Caller>,
  { authenticate, securitySchemes }: AcceptOptions<Caller>,
): Promise<AuthResult<Caller | undefined> | undefined> {
  if (authenticate && !securitySchemes)
    return isPublic(security) ? undefined : checked(await authenticate(credentials, req));
  // An undocumented path has no schemes to check.
  if (!operation) return undefined;
  return authenticateAlternatives(security, credentials, req, {
    authenticate: authenticate && (async (given, request) => checked(await authenticate(given, request))),
    securitySchemes: securitySchemes ?? new Map(),
  });
}

/** Security handlers of other middleware return false for invalid credentials, which must not be accepted here. */
function checked<Caller>(result: AuthResult<Caller> | null | undefined): AuthResult<Caller> {
  if (typeof result?.scopes?.has === 'function') return result;
  throw new TypeError(
    'authenticate must return { caller, scopes }, where scopes is a Set, or throw the error that rejected() creates.',
  );
}

const credentialsOf = (
  { req, operation }: RequestState<unknown>,
  address: () => string,
): RequestCredentials => ({
  headers: req.headers,
  url: req.url ?? '/',
  address,
  operation: operation?.id,
  schemes: [],
  scopes: {},
});

/** Rejects a URL that cannot be decoded, before anything decodes it. @throws PipelineError */
function assertDecodableUrl(url: string): void {
  if (!url.includes('%') || isDecodable(url)) return;
  throw new PipelineError('malformedRequest', { message: 'The percent-encoding of the URL is invalid.' });
}

function isDecodable(url: string): boolean {
  try {
    // The result is used, because minifiers remove a call whose only purpose is to throw an error.
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}
