import type { Credentials } from '../../testing/conformance/credentials.ts';
import type { Contract } from '../model/contract.ts';

const value = 'any-credentials';

/** Returns a value for every kind of credentials that operations of a contract need. The mock accepts any value of the right scheme. */
export function credentialsOf({ operations }: Contract): Credentials {
  const query: Record<string, string> = {};
  const cookies = new Set<string>();
  const used = operations.flatMap(({ securitySchemes }) => securitySchemes.flat());
  const names = [
    'bearer',
    ...used.flatMap(({ type, scheme }) => (type === 'http' && scheme ? [scheme] : [])),
  ];
  const headers: Record<string, string> = { Authorization: `Bearer ${value}` };
  for (const { type, in: location, name = '' } of used) {
    if (type !== 'apiKey') continue;
    if (location === 'header' && name.toLowerCase() !== 'authorization') headers[name] = value;
    if (location === 'query') query[name] = value;
    if (location === 'cookie') cookies.add(`${name}=${value}`);
  }
  if (cookies.size > 0) headers.Cookie = [...cookies].join('; ');
  return { headers, query, schemes: Object.fromEntries(names.map((name) => [name, `${name} ${value}`])) };
}
