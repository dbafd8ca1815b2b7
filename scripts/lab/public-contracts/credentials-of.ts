import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Credentials } from '../../testing/conformance/credentials.ts';

const value = 'any-credentials';

/** Returns a value for every kind of credentials in a contract. The mock accepts any value. */
export function credentialsOf({ components = {} }: OpenApiDocument): Credentials {
  const headers: Record<string, string> = { Authorization: `Bearer ${value}` };
  const query: Record<string, string> = {};
  const cookies: string[] = [];
  for (const { type, in: location, name = '' } of Object.values(components.securitySchemes ?? {})) {
    if (type !== 'apiKey') continue;
    if (location === 'header') headers[name] = value;
    if (location === 'query') query[name] = value;
    if (location === 'cookie') cookies.push(`${name}=${value}`);
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ');
  return { headers, query };
}
