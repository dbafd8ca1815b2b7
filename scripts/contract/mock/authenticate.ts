import { bearerToken } from '../../../server/auth/bearer-token.ts';
import { throwApiError } from '../../../server/errors.ts';
import type { AuthResult, RequestCredentials } from '../../../server/pipeline/pipeline.ts';
import type { SecuritySchemeObject } from '../../lib/openapi-document.ts';

const beginning = 'ply_mock_';

/** Opens everything on the mock. It is no secret: the mock keeps nothing. */
export const mockToken = `${beginning}everything`;

/** A token with some scopes, which it names: `ply_mock_contacts.read+fields.read`. */
export const mockTokenWith = (scopes: readonly string[]): string =>
  beginning + scopes.map((scope) => scope.replaceAll(':', '.')).join('+');

/** Lets through whoever brings one of the mock's tokens, with its scopes; the refusals are the server's. */
export function mockAuthenticate(scopes: ReadonlySet<string>) {
  return async ({ headers }: RequestCredentials): Promise<AuthResult<'mock'>> => {
    const token = bearerToken(headers.authorization);
    const why = { fields: 'header/Authorization', headers: { 'WWW-Authenticate': 'Bearer' } };
    if (token === undefined) throwApiError('tokenMissing', why);
    const opened = scopesOf(token, scopes);
    if (!opened) throwApiError('tokenUnknown', why);
    return { caller: 'mock', scopes: opened, headers: {} };
  };
}

/** Undefined where the token is none of the mock's. */
function scopesOf(token: string, all: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (token === mockToken) return all;
  if (!token.startsWith(beginning)) return undefined;
  const named = token
    .slice(beginning.length)
    .split('+')
    .map((scope) => scope.replace('.', ':'));
  return named.every((scope) => all.has(scope)) ? new Set(named) : undefined;
}

/** For contracts of others: whatever credentials one of their schemes asks for are good, if they are there. */
export function anyCredentials(
  schemes: Readonly<Record<string, SecuritySchemeObject>>,
  scopes: ReadonlySet<string>,
) {
  return async (credentials: RequestCredentials): Promise<AuthResult<'mock'>> => {
    if (!Object.values(schemes).some((scheme) => brings(credentials, scheme))) throwApiError('tokenMissing');
    return { caller: 'mock', scopes, headers: {} };
  };
}

function brings({ headers, url }: RequestCredentials, scheme: SecuritySchemeObject): boolean {
  const name = scheme.name ?? '';
  if (scheme.type !== 'apiKey') return headers.authorization !== undefined;
  if (scheme.in === 'header') return headers[name.toLowerCase()] !== undefined;
  if (scheme.in === 'query') return new URL(url, 'http://mock').searchParams.has(name);
  return (headers.cookie ?? '').split(/; */).some((pair) => pair.startsWith(`${name}=`));
}
