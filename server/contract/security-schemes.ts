import { ownOf } from '../lib/own-property.ts';
import type { CompiledContract, SecurityScheme } from './compiled-contract.ts';
import type { RequestCredentials } from './credentials.ts';

/** By name. */
export type SecuritySchemes = ReadonlyMap<string, SecurityScheme>;

/** A contract whose security can be checked. */
export interface SecuredContract {
  contract: CompiledContract;
  securitySchemes: SecuritySchemes;
}

/**
 * Returns the security schemes that the operations of a contract require. An operation is disabled if one of its schemes is not
 * defined or not known, because its credentials could not be checked.
 */
export function securedContractOf(contract: CompiledContract): SecuredContract {
  const securitySchemes = new Map<string, SecurityScheme>();
  const operations = contract.operations.map((operation) => {
    for (const name of operation.security.flatMap(Object.keys)) {
      const scheme = ownOf(contract.securitySchemes, name);
      if (!scheme || scheme.in === 'unknown')
        return { ...operation, security: [], disabled: reasonFor(operation.id, name, scheme !== undefined) };
      securitySchemes.set(name, scheme);
    }
    return operation;
  });
  return { contract: { ...contract, operations }, securitySchemes };
}

const reasonFor = (id: string, name: string, isDefined: boolean): string =>
  isDefined
    ? `The security scheme ${name} of ${id} is not supported: its type, name, location or scheme is missing or unknown. Correct it in components.securitySchemes.`
    : `${id} requires the security scheme ${name}, which is not defined. Define it in components.securitySchemes, or correct the name.`;

/**
 * Whether a request has credentials of a scheme. Whether they are valid is for `authenticate` to check.
 * @param request Node's request, which may have a verified certificate
 */
export function carries(
  { headers, url }: RequestCredentials,
  scheme: SecurityScheme,
  request: object,
): boolean {
  switch (scheme.in) {
    case 'authorization':
      return new RegExp(`^(?:${scheme.scheme}) +\\S`, 'i').test(headers.authorization ?? '');
    case 'header':
      return Object.hasOwn(headers, scheme.name) && String(headers[scheme.name] ?? '').trim() !== '';
    case 'query':
      return (searchOf(url).get(scheme.name) ?? '') !== '';
    case 'cookie':
      return cookiesIn(headers.cookie).some(([name, value]) => name === scheme.name && value !== '');
    case 'connection':
      // Node sets it if the server requested a certificate and verified it.
      return Reflect.get(Object(Reflect.get(request, 'socket')), 'authorized') === true;
  }
}

/** Returns a request's credentials without those of a scheme. */
export function withoutCredentials(given: RequestCredentials, scheme: SecurityScheme): RequestCredentials {
  switch (scheme.in) {
    case 'authorization':
    case 'header': {
      const name = placeOf(scheme).slice('header '.length);
      return { ...given, headers: { ...given.headers, [name]: undefined } };
    }
    case 'query': {
      const search = searchOf(given.url);
      search.delete(scheme.name);
      return { ...given, url: `${given.url.split('?', 1)[0]}?${search}` };
    }
    case 'cookie': {
      const rest = cookiesIn(given.headers.cookie).filter(([name]) => name !== scheme.name);
      const cookie = rest.map((pair) => pair.join('=')).join('; ');
      return { ...given, headers: { ...given.headers, cookie } };
    }
    case 'connection':
      return given;
  }
}

/** Returns the place of a scheme's credentials in the request. Schemes with the same place share them. */
export function placeOf(scheme: SecurityScheme): string {
  if (scheme.in === 'authorization') return 'header authorization';
  return scheme.in === 'connection' ? 'connection' : `${scheme.in} ${scheme.name}`;
}

const searchOf = (url: string): URLSearchParams => {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
};

const cookiesIn = (header: string | undefined): [name: string, value: string][] =>
  (header ?? '').split(';').map((pair) => {
    const mark = pair.indexOf('=');
    return mark < 0 ? [pair.trim(), ''] : [pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()];
  });
