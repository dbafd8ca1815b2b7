import { type Comparison, forEachChange } from '../comparison.ts';
import { serverUrlsOf } from '../server-urls.ts';

/** Operations with servers of their own are no longer available at the servers of the document. */
export const serversOverridden = (comparison: Comparison) =>
  forEachChange('servers-overridden', ({ typeName, kind, path, revision }) => {
    if (typeName !== 'ServerList' || kind !== 'added' || path === '/servers') return undefined;
    const own = serverUrlsOf(revision?.value);
    const lost = serverUrlsOf(comparison.before.servers).filter((url) => !own.includes(url));
    return lost.length > 0 ? `It is no longer served at ${lost.join(', ')}.` : undefined;
  })(comparison);
