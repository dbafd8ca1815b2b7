import { isObject, type JsonObject, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import { httpMethods } from '../../../lib/openapi-document.ts';
import type { BreakingChangeRule } from '../comparison.ts';
import { isWithin } from '../schema-locations.ts';
import { serverUrlsOf } from '../server-urls.ts';

/**
 * Clients call an operation at each server that applies to it: its own, those of its path, or those of the document.
 * Redocly compares lists of servers, whether or not they apply.
 */
export const serverRemoved: BreakingChangeRule = ({ before, after, changes }) => {
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
    const { path = pointer, property, base = { pointer }, revision } = change ?? {};
    return {
      rule: 'server-removed',
      message: `It is no longer served at ${url}.`,
      path,
      property,
      base,
      revision,
    };
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
      const [applying = ['', document]] = [
        [`${pointer}/${method}`, operation] as const,
        [pointer, objectOf(item)] as const,
      ].filter(([, { servers }]) => listOf(servers).length > 0);
      const template = path.replace(/\{[^}]+\}/g, '{}');
      return listOf(applying[1].servers)
        .map(objectOf)
        .map((server, index) => ({
          name: `${method} ${template}`,
          at: serverUrlsOf([server]).map((url) => `${method} ${url}${template}`),
          server,
          pointer: `${applying[0]}/servers/${index}`,
        }));
    }),
  );

const withoutOrigin = (url: string): string => url.replace(/ [a-z][a-z+.-]*:\/\/[^/]*/i, ' ');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
