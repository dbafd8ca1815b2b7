import { bearerToken } from '../../../server/lib/bearer-token.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import type { AuthResult, RequestCredentials } from '../../../server/pipeline/credentials.ts';
import { PipelineError } from '../../../server/pipeline/errors.ts';

/** A security scheme of the contract. */
export interface SecuritySchemeInUse {
  type: string;
  name?: string | undefined;
  in?: string | undefined;
  /** The authentication scheme of HTTP, in lower case. */
  scheme?: string | undefined;
}

const beginning = 'ply_mock_';

/** The mock token with all scopes. It is not a secret, because the mock stores nothing. */
export const mockToken = `${beginning}everything`;

/** Returns a mock token that names its scopes: `ply_mock_contacts.read+fields.read`. */
export const mockTokenWith = (scopes: readonly string[]): string =>
  beginning + scopes.map((scope) => scope.replaceAll(':', '.')).join('+');

/** Authenticates mock tokens. @param scopes all scopes of the contract */
export function mockAuthenticate(scopes: ReadonlySet<string>) {
  return async ({ headers }: RequestCredentials): Promise<AuthResult<'mock'>> => {
    const token = bearerToken(headers.authorization);
    const why = { fields: 'header/Authorization', headers: { 'WWW-Authenticate': 'Bearer' } };
    if (token === undefined) throw new PipelineError('tokenMissing', why);
    const opened = scopesOf(token, scopes);
    if (!opened) throw new PipelineError('tokenUnknown', why);
    return { caller: 'mock', scopes: opened, headers: {} };
  };
}

/** Returns the scopes of a mock token; undefined for other tokens and unknown scopes. */
function scopesOf(token: string, all: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (token === mockToken) return all;
  if (!token.startsWith(beginning)) return undefined;
  const named = token
    .slice(beginning.length)
    .split('+')
    .map((scope) => scope.replaceAll('.', ':'));
  return named.every((scope) => all.has(scope)) ? new Set(named) : undefined;
}

/**
 * Accepts any credentials for the security schemes of the operation. Without an operation, any credentials suffice.
 * @param operations the operations of the contract, with their security schemes
 */
export function anyCredentials(
  operations: readonly { id: string; security: readonly (readonly SecuritySchemeInUse[])[] }[],
  scopes: ReadonlySet<string>,
) {
  const anyScheme = operations.flatMap(({ security }) => security.flat()).map((scheme) => [scheme]);
  return async (credentials: RequestCredentials): Promise<AuthResult<'mock'>> => {
    const known = operations.find(({ id }) => id === credentials.operation);
    const alternatives = known?.security ?? anyScheme;
    const isAuthenticated =
      alternatives.some((schemes) => schemes.every((scheme) => brings(credentials, scheme))) ||
      (!known && credentials.headers.authorization !== undefined);
    if (!isAuthenticated) throw new PipelineError('tokenMissing');
    return { caller: 'mock', scopes, headers: {} };
  };
}

function brings({ headers, url }: RequestCredentials, scheme: SecuritySchemeInUse): boolean {
  const name = scheme.name ?? '';
  if (scheme.type !== 'apiKey') return hasScheme(headers.authorization, scheme);
  if (scheme.in === 'header') return headers[name.toLowerCase()] !== undefined;
  if (scheme.in === 'query') return new URL(url, 'http://mock').searchParams.has(name);
  return (headers.cookie ?? '').split(/; */).some((pair) => pair.startsWith(`${name}=`));
}

/** Whether the Authorization header has the scheme that is documented. Access tokens of OAuth 2.0 are bearer tokens. */
function hasScheme(authorization: string | undefined, { type, scheme }: SecuritySchemeInUse): boolean {
  // The mock sees no certificates: for mutual TLS, any value stands for one.
  if (authorization === undefined) return false;
  const sent = authorization.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '';
  const expected =
    type === 'http' ? scheme : type === 'oauth2' || type === 'openIdConnect' ? 'bearer' : undefined;
  return expected === undefined || sent === expected || (expected === 'bearer' && sent === 'dpop');
}

/** Returns all scopes in the contract's security requirements. */
export function scopesIn(document: object): Set<string> {
  const found = new Set<string>();
  JSON.stringify(document, (key, value: unknown) => {
    if (key === 'security' && Array.isArray(value))
      for (const scope of value.filter(isObject).flatMap((alternative) => Object.values(alternative).flat()))
        found.add(String(scope));
    // Scopes that an operation requires for some requests only.
    if (key === 'x-conditional-scopes' && Array.isArray(value))
      for (const each of value.filter(isObject)) found.add(String(each.scope));
    return value;
  });
  return found;
}
