import { wrongCredentials } from '../../contract/mock/authenticate.ts';
import type { SecurityScheme } from '../../contract/model/operation.ts';
import type { TestedOperation } from '../requests/operations.ts';
import {
  type GeneratedRequest,
  type SerializedRequest,
  serializeRequest,
  shellVariable,
  type TestCase,
} from '../requests/serialize.ts';

/** The credentials of requests. */
export interface Credentials {
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Values of the header Authorization by authentication scheme, such as `basic`, instead of the one in `headers`. */
  schemes?: Readonly<Record<string, string>>;
}

/**
 * Returns the credentials for an operation. Omits those that only other operations use, because services may reject
 * unknown parameters, and a login with the session of another user would end it.
 * @param operations all operations of the contract
 */
export function credentialsFor(
  operation: TestedOperation,
  { headers, query, schemes = {} }: Credentials,
  operations: readonly TestedOperation[],
): Credentials {
  const [alternative = []] = operation.securitySchemes;
  const scheme = alternative.find(({ type }) => type !== 'apiKey');
  const value = scheme && schemes[scheme.type === 'http' ? (scheme.scheme ?? '') : 'bearer'];
  const ownValues = <Value>(location: 'header' | 'query', given: Readonly<Record<string, Value>>) => {
    const keysOf = ({ securitySchemes }: TestedOperation) => {
      const used = securitySchemes.flat();
      return [
        ...keyNames(used, location),
        ...(used.some(({ type }) => type !== 'apiKey') ? ['authorization'] : []),
      ];
    };
    const own = keysOf(operation);
    const others = operations.flatMap(keysOf).filter((name) => !own.includes(name));
    return kept(given, (name) => !others.includes(name));
  };
  const cookiesOf = ({ securitySchemes }: TestedOperation) => keyNames(securitySchemes.flat(), 'cookie');
  const foreign = operations.flatMap(cookiesOf).filter((name) => !cookiesOf(operation).includes(name));
  const own = ownValues('header', headers);
  return {
    headers: {
      ...withoutCookies(own, foreign),
      ...(value === undefined ? {} : { Authorization: value }),
    },
    query: ownValues('query', query),
  };
}

/** Removes cookies from the header Cookie, and the header if none is left. @param names in lower case */
function withoutCookies(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([header, value]) => {
    if (!/^cookie$/i.test(header)) return [[header, value]];
    const left = value
      .split(/; */)
      .filter((pair) => !names.includes(pair.replace(/=.*/s, '').trim().toLowerCase()));
    return left.length === 0 ? [] : [[header, left.join('; ')]];
  });
  return Object.fromEntries(entries);
}

/** Returns the values whose names, in lower case, are to be kept. */
const kept = <Value>(
  given: Readonly<Record<string, Value>>,
  isKept: (name: string) => boolean,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => isKept(name.toLowerCase())));

/**
 * Returns the options that would give the credentials of an operation; empty if those of one alternative are given.
 * @param given the credentials of the operation
 */
export function missingOptions({ securitySchemes }: TestedOperation, given: Credentials): string[] {
  const names = Object.keys(given.headers).map((name) => name.toLowerCase());
  const cookies = `; ${given.headers.Cookie ?? given.headers.cookie ?? ''}`;
  const isMissing = ({ type, in: location, name = '' }: SecurityScheme): boolean => {
    if (type !== 'apiKey') return !names.includes('authorization');
    if (location === 'query') return !Object.hasOwn(given.query, name);
    return location === 'cookie' ? !cookies.includes(`; ${name}=`) : !names.includes(name.toLowerCase());
  };
  const missing = securitySchemes.map((alternative) => alternative.filter(isMissing));
  if (missing.some((alternative) => alternative.length === 0)) return [];
  return (missing[0] ?? []).map(({ type, in: location, name }) => {
    if (type !== 'apiKey') return "--header 'Authorization: …'";
    if (location === 'query') return `--query '${name}=…'`;
    return `--header '${location === 'cookie' ? `Cookie: ${name}=` : `${name}: `}…'`;
  });
}

/** Serializes the request of a test case, with credentials and other values that the user has set for every request. */
export function wireOf(attempt: TestCase, credentials: Credentials): SerializedRequest {
  const wire = serializeRequest(withoutPinned(attempt, credentials));
  const { instead } = attempt;
  const headers = { ...wire.headers, ...instead?.headers };
  return withCredentials({ ...wire, ...instead, headers }, withoutMissing(credentials, attempt));
}

/** Removes the header or query parameter that a test case leaves out on purpose. */
function withoutMissing({ headers, query }: Credentials, { wrong }: TestCase): Credentials {
  const missing = wrong?.keyword === 'required' ? wrong.field.toLowerCase() : '';
  return {
    headers: kept(headers, (name) => `header/${name}` !== missing),
    query: kept(query, (name) => `query/${name}` !== missing),
  };
}

/**
 * Removes the parameters that the user has set for every request, so that these values are sent. The parameter that a
 * request is wrong about keeps its value.
 */
function withoutPinned({ request, wrong }: TestCase, { headers, query }: Credentials): GeneratedRequest {
  const field = `${wrong?.field.toLowerCase() ?? ''}/`;
  const unpinned = (location: 'header' | 'query', given: Readonly<Record<string, string>>) => {
    const pinned = Object.keys(given).map((name) => name.toLowerCase());
    return kept(
      request[location],
      (name) => !pinned.includes(name) || field.startsWith(`${location}/${name}/`),
    );
  };
  return { ...request, header: unpinned('header', headers), query: unpinned('query', query) };
}

/** Adds credentials; the request's own values take precedence. */
export function withCredentials(wire: SerializedRequest, { headers, query }: Credentials): SerializedRequest {
  // Credentials and parameters may share the Cookie header.
  const both = [headers.Cookie ?? headers.cookie, wire.headers.Cookie].flatMap((each) => each ?? []);
  const [, ownQuery] = wire.target.split('?');
  const own = new URLSearchParams(ownQuery);
  const pairs = Object.entries(query)
    .filter(([name]) => !own.has(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const mark = ownQuery === undefined ? '?' : '&';
  const ownNames = Object.keys(wire.headers).map((name) => name.toLowerCase());
  return {
    ...wire,
    headers: {
      ...kept(headers, (name) => !ownNames.includes(name)),
      ...wire.headers,
      ...(both.length === 2 ? { Cookie: both.join('; ') } : {}),
    },
    target: pairs.length > 0 ? wire.target + mark + pairs.join('&') : wire.target,
  };
}

/** Removes the credentials of the given security schemes. */
export function withoutCredentials(
  { headers, query }: Credentials,
  schemes: readonly SecurityScheme[],
): Credentials {
  const names = schemes.map(({ type, name }) =>
    (type === 'apiKey' ? (name ?? '') : 'authorization').toLowerCase(),
  );
  const inCookie = schemes.some(({ type, in: location }) => type === 'apiKey' && location === 'cookie');
  const isOther = (name: string) => !names.includes(name) && !(inCookie && name === 'cookie');
  return { headers: kept(headers, isOther), query: kept(query, (name) => !names.includes(name)) };
}

/** Replaces the credentials of the given security schemes with wrong ones. @returns undefined if the request has none */
export function withWrongCredentials(
  own: Credentials,
  schemes: readonly SecurityScheme[],
): Credentials | undefined {
  const bare = withoutCredentials(own, schemes);
  const cookies = schemes.flatMap(({ in: location, name }) =>
    location === 'cookie' ? `${name}=${wrongCredentials.token}` : [],
  );
  const wrongOf = (name: string, value: string): string => {
    if (/^cookie$/i.test(name)) return cookies.join('; ');
    const isKey = !/^authorization$/i.test(name) || keyNames(schemes, 'header').includes('authorization');
    // Reports print this value, so it contains nothing of the valid one but the name of its scheme. API keys have none.
    const [scheme = ''] = isKey ? [] : (/^\S+ /.exec(value) ?? []);
    return scheme + (/^basic /i.test(scheme) ? wrongCredentials.basic : wrongCredentials.token);
  };
  const changed = (location: 'headers' | 'query') =>
    Object.entries(own[location])
      .filter(([name]) => !Object.hasOwn(bare[location], name))
      .map(([name, value]) => [name, wrongOf(name, value)]);
  const [headers, query] = [changed('headers'), changed('query')];
  if (headers.length + query.length === 0) return undefined;
  return {
    headers: { ...bare.headers, ...Object.fromEntries(headers) },
    query: { ...bare.query, ...Object.fromEntries(query) },
  };
}

/** Removes the API keys that an operation also describes as parameters. */
export function withoutKeys(request: GeneratedRequest, schemes: readonly SecurityScheme[]): GeneratedRequest {
  const others = (location: 'header' | 'query' | 'cookie') => {
    const keys = keyNames(schemes, location);
    return kept(request[location], (name) => !keys.includes(name));
  };
  return { ...request, header: others('header'), query: others('query'), cookie: others('cookie') };
}

/** Returns the names of the API keys in a location, in lower case. */
const keyNames = (schemes: readonly SecurityScheme[], location: string): string[] =>
  schemes.flatMap((scheme) => (scheme.in === location ? (scheme.name?.toLowerCase() ?? []) : []));

/** Replaces credentials in a response with shell variables, because a service may repeat them. */
export function withoutSecrets(
  text: string,
  { headers, query }: Credentials,
  secret: readonly string[],
): string {
  const values = [...Object.entries(headers), ...Object.entries(query)]
    .filter(([name]) => secret.includes(name))
    .map(([name, value]): [string, string] => [name, value.replace(/^(Bearer|Basic) /, '')]);
  return values.reduce(
    // A shorter value, such as that of an example, is part of other words.
    (left, [name, value]) => (value.length > 3 ? left.replaceAll(value, `$${shellVariable(name)}`) : left),
    text,
  );
}
