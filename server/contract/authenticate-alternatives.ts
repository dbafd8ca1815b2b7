import { isPublic, scopesMissing } from './authorize.ts';
import type { Security, SecurityScheme } from './compiled-contract.ts';
import type { Authenticate, AuthResult, RequestCredentials } from './credentials.ts';
import { ApiError, PipelineError } from './errors.ts';
import type { RequestHead } from './exchange.ts';
import { carries, placeOf, type SecuritySchemes, withoutCredentials } from './security-schemes.ts';

/** How the credentials of a request are checked. */
export interface AuthenticationOptions<Caller> {
  /** Checks the credentials. Without it, they must be present, and their scopes are left to the application. */
  authenticate?: Authenticate<Caller> | undefined;
  /** The security schemes of the contract. */
  securitySchemes: SecuritySchemes;
}

/**
 * Authenticates a request by the alternatives of an operation's security whose credentials it has. For each of them,
 * `authenticate` sees no credentials of the others, so that one alternative's scopes or keys never count for another.
 * @returns the result for the first alternative that is met, with its scopes; undefined if only the empty one is
 * @throws PipelineError, or the error of `authenticate`, if none is met
 */
export async function authenticateAlternatives<Caller>(
  security: Security,
  credentials: RequestCredentials,
  request: RequestHead,
  { authenticate, securitySchemes }: AuthenticationOptions<Caller>,
): Promise<AuthResult<Caller | undefined> | undefined> {
  const alternatives = security.map((requirement) => ({
    requirement,
    schemes: Object.keys(requirement).flatMap((name) => securitySchemes.get(name) ?? []),
  }));
  const offered = alternatives.filter(
    ({ requirement, schemes }) =>
      schemes.length > 0 &&
      schemes.length === Object.keys(requirement).length &&
      schemes.every(
        (scheme) =>
          // Only `authenticate` can know whether a proxy has verified the client's certificate.
          carries(credentials, scheme, request) || (authenticate !== undefined && scheme.in === 'connection'),
      ),
  );
  const all = alternatives.flatMap(({ schemes }) => schemes);
  const failures: unknown[] = [];
  for (const { requirement, schemes } of offered) {
    const scopes = new Set(Object.values(requirement).flat());
    if (!authenticate) return { caller: undefined, scopes };
    const view = {
      ...viewOf(credentials, [...securitySchemes.values()], schemes),
      schemes: Object.keys(requirement),
      scopes: requirement,
    };
    try {
      const admission = await authenticate(view, request);
      const missing = [...scopes].filter((scope) => !admission.scopes.has(scope));
      if (missing.length === 0) return admission;
      failures.unshift(scopesMissing(missing));
    } catch (error) {
      if (!isRejection(error, isPublic(security))) throw error;
      failures.push(error);
    }
  }
  if (isPublic(security)) return undefined;
  const [failure = new PipelineError('tokenMissing')] = failures;
  const challenges = new Set(
    all.flatMap((scheme) => (scheme.in === 'authorization' ? scheme.challenge : [])),
  );
  if (!(failure instanceof PipelineError) || failure.kind === 'scopeMissing' || challenges.size === 0)
    throw failure;
  const headers = { 'WWW-Authenticate': [...challenges].join(', '), ...failure.details.headers };
  throw new PipelineError(failure.kind, { ...failure.details, headers });
}

/** Returns the credentials of some schemes, without those of all others. */
function viewOf(
  credentials: RequestCredentials,
  all: readonly SecurityScheme[],
  schemes: readonly SecurityScheme[],
): RequestCredentials {
  const places = new Set(schemes.map(placeOf));
  return all.filter((scheme) => !places.has(placeOf(scheme))).reduce(withoutCredentials, credentials);
}

/**
 * Whether `authenticate` has rejected the credentials, so that another alternative may still be met. Applications often throw
 * errors of their own with the status. So do HTTP clients, whose errors must not make a caller anonymous.
 * @param isOptional whether a request without credentials is accepted
 */
function isRejection(error: unknown, isOptional: boolean): boolean {
  if (error instanceof PipelineError) return /^(token|scope)/.test(error.kind);
  if (isOptional && !(error instanceof ApiError)) return false;
  const { status } = error instanceof ApiError ? error.errorResponse : Object(error);
  return status === 401 || status === 403;
}
