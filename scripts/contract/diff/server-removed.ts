import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { httpMethods } from '../../lib/openapi-document.ts';
import type { ContractRule } from './comparison.ts';
import { isWithin } from './schema-locations.ts';

/**
 * Clients call an operation at each server that applies to it: its own, those of its path, or those of the document.
 * Redocly compares lists of servers, whether or not they apply.
 */
export const serverRemoved: ContractRule = ({ before, after, changes }) => {
  const next = servedOperations(after);
  const urls = new Set(next.flatMap(({ at }) => at));
  // A variable without a list of values can have any.
  const patterns = [...urls].map((url) => new RegExp(`^${url.split('{}').map(escaped).join('[^/]+')}$`));
  const isServed = (url: string) => urls.has(url) || patterns.some((pattern) => pattern.test(url));
  const kept = new Set(next.flatMap(({ name, at }) => [name, ...at.map(withoutOrigin)]));
  const lost = new Map<string, string>();
  // Other rules report operations that are removed.
  for (const { name, at, server, pointer } of servedOperations(before))
    if ([name, ...at.map(withoutOrigin)].some((each) => kept.has(each)) && !at.every(isServed))
      lost.set(pointer, String(server.url));
  return [...lost].map(([pointer, url]) => {
    const change = changes.find(
      ({ base }) => base && (isWithin(base.pointer, pointer) || isWithin(pointer, base.pointer)),
    );
    const message = `It is no longer served at ${url}.`;
    return { message, ...(change ?? { path: pointer, base: { pointer } }) };
  });
};

/** A method and path without the names of parameters, at one of the servers that apply to it. */
interface ServedOperation {
  name: string;
  /** The name with each URL of the server. */
  at: string[];
  server: JsonObject;
  /** JSON Pointer to the server. */
  pointer: string;
}

const servedOperations = (document: JsonObject): ServedOperation[] =>
  Object.entries(objectOf(document.paths)).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = objectOf(item)[method];
      if (!isObject(operation)) return [];
      const pointer = `/paths/${escapePointer(path)}`;
      const levels = [
        [`${pointer}/${method}`, operation],
        [pointer, objectOf(item)],
      ] as const;
      const [at, { servers }] = levels.find((each) => listOf(each[1].servers).length > 0) ?? ['', document];
      const template = path.replace(/\{[^}]+\}/g, '{}');
      return listOf(servers)
        .map(objectOf)
        .map((server, index) => ({
          name: `${method} ${template}`,
          at: serverUrlsOf(server).map((url) => `${method} ${url}${template}`),
          server,
          pointer: `${at}/servers/${index}`,
        }));
    }),
  );

const withoutOrigin = (url: string): string => url.replace(/ [a-z][a-z+.-]*:\/\/[^/]*/i, ' ');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Maximum number of URLs of a server that are compared. */
const maxUrls = 1_000;

/**
 * Returns the URLs of a server: one for each combination of the listed values of its variables. A variable without a list, or
 * with too many values to compare, stays in the URL as its list, because its name has no meaning.
 */
const serverUrlsOf = ({ url, variables }: JsonObject): string[] =>
  Object.entries(objectOf(variables))
    .reduce<string[]>(
      (urls, [name, variable]) => {
        const listed = listOf(objectOf(variable).enum).map(String);
        const isCompared = listed.length > 0 && urls.length * listed.length <= maxUrls;
        const values = isCompared ? listed : [`{${listed}}`];
        return urls.flatMap((each) => values.map((value) => each.replaceAll(`{${name}}`, () => value)));
      },
      [String(url)],
    )
    .map((each) => (URL.parse(each)?.href ?? each).replace(/\/$/, ''));
