import type { AcceptOptions } from '../../../server/contract/accept-request.ts';
import type { CompiledContract, SecurityScheme } from '../../../server/contract/compiled-contract.ts';
import type { AuthResult, RequestCredentials } from '../../../server/contract/credentials.ts';
import { PipelineError } from '../../../server/contract/errors.ts';
import { bearerToken, mockTokenPrefix } from '../../../server/lib/bearer-token.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';

/** The mock token with all scopes. It is not a secret, because the mock stores nothing. */
export const mockToken = `${mockTokenPrefix}everything`;

/** Returns a mock token that names its scopes: `ply_mock_contacts.read+fields.read`. */
export const mockTokenWith = (scopes: readonly string[]): string =>
  mockTokenPrefix + scopes.map((scope) => scope.replaceAll(':', '.')).join('+');

/** Authenticates mock tokens. @param scopes all scopes of the contract */
export function mockAuthenticate(scopes: ReadonlySet<string>) {
  return async ({ headers }: RequestCredentials): Promise<AuthResult<'mock'>> => {
    const token = bearerToken(headers.authorization);
    const why = { fields: 'header/Authorization', headers: { 'WWW-Authenticate': 'Bearer' } };
    if (token === undefined) throw new PipelineError('tokenMissing', why);
    const opened = scopesOf(token, scopes);
    if (!opened) throw new PipelineError('tokenUnknown', why);
    return { caller: 'mock', scopes: opened };
  };
}

/** Returns the scopes of a mock token; undefined for other tokens and unknown scopes. */
function scopesOf(token: string, all: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (token === mockToken) return all;
  if (!token.startsWith(mockTokenPrefix)) return undefined;
  const named = token
    .slice(mockTokenPrefix.length)
    .split('+')
    .map((scope) => scope.replaceAll('.', ':'));
  return named.every((scope) => all.has(scope)) ? new Set(named) : undefined;
}

/** The credentials that even a mock rejects which accepts all others, so that tests can send wrong ones. */
export const wrongCredentials = {
  token: 'wrong-credentials',
  /** The same as user and password of HTTP Basic authentication. */
  basic: btoa('wrong-credentials:wrong-credentials'),
};

/** The mock sees no certificates, and contracts may name schemes that are not defined: any value stands for them. */
const anyAuthorization: SecurityScheme = { in: 'header', name: 'authorization' };

/**
 * Returns options that accept any credentials for the security schemes of an operation, except the wrong ones.
 * @param scopes all scopes of the contract
 */
export function anyCredentials(
  { operations, securitySchemes }: CompiledContract,
  scopes: ReadonlySet<string>,
): Pick<AcceptOptions<'mock'>, 'authenticate' | 'securitySchemes'> {
  const names = operations.flatMap(({ security }) => security.flatMap(Object.keys));
  const schemes = new Map(
    names.map((name): [string, SecurityScheme] => {
      const scheme = ownOf(securitySchemes, name) ?? { in: 'unknown' };
      const isVisible = scheme.in !== 'unknown' && scheme.in !== 'connection';
      return [name, isVisible ? scheme : anyAuthorization];
    }),
  );
  const wrong = Object.values(wrongCredentials);
  return {
    securitySchemes: schemes,
    async authenticate({ headers, url }) {
      const sent = [url, ...Object.values(headers)].join();
      if (wrong.some((each) => sent.includes(each))) throw new PipelineError('tokenUnknown');
      return { caller: 'mock', scopes };
    },
  };
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
