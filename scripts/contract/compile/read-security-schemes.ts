import type { KnownScheme, SecurityScheme } from '../../../server/contract/compiled-contract.ts';
import { objectOf } from '../../../server/lib/json-object.ts';
import type { Contract } from '../model/contract.ts';

/** Returns the security schemes of a contract by name. */
export function readSecuritySchemes({ document, follow }: Contract): Record<string, KnownScheme> {
  const schemes = objectOf(document.components?.securitySchemes);
  return Object.fromEntries(
    Object.entries(schemes).map(([name, given]) => [name, schemeOf(follow(given).node) ?? { in: 'unknown' }]),
  );
}

function schemeOf({ type, name, in: location, scheme }: Record<string, unknown>): SecurityScheme | undefined {
  if (type === 'mutualTLS') return { in: 'connection' };
  // Access tokens of OAuth 2.0 are bearer tokens (RFC 6750), or bound to a key (RFC 9449).
  if (type === 'oauth2' || type === 'openIdConnect')
    return { in: 'authorization', scheme: 'bearer|dpop', challenge: 'Bearer' };
  if (type === 'http' && typeof scheme === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(scheme))
    return {
      in: 'authorization',
      scheme: scheme.replaceAll(/[^\w]/g, '\\$&'),
      challenge: scheme.replace(/^./, (letter) => letter.toUpperCase()),
    };
  if (type !== 'apiKey' || typeof name !== 'string' || name === '') return undefined;
  return location === 'header' || location === 'query' || location === 'cookie'
    ? { in: location, name: location === 'header' ? name.toLowerCase() : name }
    : undefined;
}
