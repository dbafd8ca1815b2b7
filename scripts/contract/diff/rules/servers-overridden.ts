import { isObject } from '../../../../server/lib/json-object.ts';
import { type Comparison, forEachChange } from '../comparison.ts';

/** Operations with servers of their own are no longer available at the servers of the document. */
export const serversOverridden = (comparison: Comparison) =>
  forEachChange('servers-overridden', ({ typeName, kind, path, revision }) => {
    if (typeName !== 'ServerList' || kind !== 'added' || path === '/servers') return undefined;
    const own = urlsIn(revision?.value);
    const lost = urlsIn(comparison.before.servers).filter((url) => !own.includes(url));
    return lost.length > 0 ? `It is no longer served at ${lost.join(', ')}.` : undefined;
  })(comparison);

const urlsIn = (servers: unknown): string[] =>
  Array.isArray(servers) ? servers.filter(isObject).map(({ url }) => String(url)) : [];
