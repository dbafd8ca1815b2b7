import { escapePointer } from '../../../server/lib/json-text.ts';
import { methods } from '../../lib/openapi-document.ts';
import { stepsOf, valueAt } from '../../testing/schema-values/json-pointer.ts';
import { canonical, isObject } from '../../testing/schema-values/schema.ts';

/** Whether the caller sends a value, or gets it. */
export type Direction = 'requests' | 'answers';

/** A place of the contract at which values travel: a body, a parameter, a header. */
export interface Site {
  /** The same in every version of a contract. */
  name: string;
  /** Method and path, or the name of a webhook. */
  operation: string;
  direction: Direction;
  /** What stands in for it where it is not described: of the answer 404 those for 4XX and default. */
  otherwise: readonly string[];
  /** Where its schema stands, references to parameters, answers and the like followed: JSON Pointer. */
  pointer: string;
  /** How it is used: JSON Pointer that goes through references. */
  path: string;
}

interface Place {
  node: Record<string, unknown>;
  pointer: string;
  path: string;
}

/** Every place of a document at which values travel. @param document OpenAPI 3.1, in one piece */
export function sitesOf(document: object): Site[] {
  const found: Site[] = [];

  /** Where a step leads, references followed. */
  const step = ({ pointer, path }: Place, ...names: string[]): Place | undefined => {
    const way = names.map((name) => `/${escapePointer(name)}`).join('');
    let at = pointer + way;
    let node = valueAt(document, at);
    for (let steps = 0; isObject(node) && typeof node.$ref === 'string' && steps < 50; steps += 1) {
      at = node.$ref.slice(1);
      node = valueAt(document, at);
    }
    return isObject(node) ? { node, pointer: at, path: path + way } : undefined;
  };
  const namesIn = (place: Place, word: string): string[] => {
    const map = place.node[word];
    if (Array.isArray(map)) return map.map((_, index) => String(index));
    return isObject(map) ? Object.keys(map) : [];
  };
  const each = (place: Place, word: string): [string, Place][] =>
    namesIn(place, word).flatMap((name) => {
      const inner = step(place, word, name);
      return inner ? [[name, inner]] : [];
    });

  const add = (place: Place, site: Pick<Site, 'name' | 'operation' | 'direction' | 'otherwise'>) => {
    for (const [mediaType, inner] of each(place, 'content')) {
      const within = (name: string) => `${name} ${mediaType}`;
      add(inner, { ...site, name: within(site.name), otherwise: site.otherwise.map(within) });
    }
    const { schema } = place.node;
    if (schema === undefined) return;
    found.push({ ...site, pointer: `${place.pointer}/schema`, path: `${place.path}/schema` });
    // What a text holds once it is decoded has a schema of its own.
    const content = isObject(schema) ? schema.contentSchema : undefined;
    if (content !== undefined)
      found.push({
        ...site,
        name: `${site.name}, decoded`,
        otherwise: [],
        pointer: `${place.pointer}/schema/contentSchema`,
        path: `${place.path}/schema/contentSchema`,
      });
  };

  const readOperation = (place: Place, operation: string, template: string, caller: Direction) => {
    const other = caller === 'requests' ? 'answers' : 'requests';
    for (const [, parameter] of each(place, 'parameters')) {
      const { name, in: where } = parameter.node;
      // What a path parameter is called is nobody's business but the document's.
      const called =
        where === 'path'
          ? `${[...template.matchAll(/\{[^}]+\}/g)].findIndex(([each]) => each === `{${String(name)}}`)}`
          : String(name);
      add(parameter, {
        name: `${operation} ${String(where)} ${where === 'header' ? called.toLowerCase() : called}`,
        operation,
        direction: caller,
        otherwise: [],
      });
    }
    const body = step(place, 'requestBody');
    if (body) add(body, { name: `${operation} body`, operation, direction: caller, otherwise: [] });
    for (const [status, response] of each(place, 'responses')) {
      const answer = (as: string) => `${operation} ${as}`;
      const otherwise = [`${status[0]}XX`, 'default'].filter((as) => as !== status && status !== 'default');
      add(response, { name: answer(status), operation, direction: other, otherwise: otherwise.map(answer) });
      for (const [name, header] of each(response, 'headers')) {
        const inHeader = (as: string) => `${answer(as)} header ${name.toLowerCase()}`;
        add(header, {
          name: inHeader(status),
          operation,
          direction: other,
          otherwise: otherwise.map(inHeader),
        });
      }
    }
    for (const [name, callback] of each(place, 'callbacks'))
      for (const expression of Object.keys(callback.node)) {
        const item = step(callback, expression);
        if (item) readItem(item, `callback ${name} of ${operation}`, expression, other);
      }
  };
  const readItem = (item: Place, called: string, template: string, caller: Direction) => {
    for (const method of methods) {
      const operation = step(item, method);
      if (operation) readOperation(operation, `${method.toUpperCase()} ${called}`, template, caller);
    }
  };

  const root: Place = { node: isObject(document) ? document : {}, pointer: '', path: '' };
  for (const [path, item] of each(root, 'paths'))
    readItem(item, path.replace(/\{[^}]+\}/g, '{}'), path, 'requests');
  // What the service sends to an address is for whoever listens there what an answer is for a caller.
  for (const [name, item] of each(root, 'webhooks')) readItem(item, `webhook ${name}`, '', 'answers');
  return found;
}

export interface Reach {
  /** The sites, of some, that a change at a pointer changes, found without looking at each. */
  index(sites: readonly Site[]): (pointer: string) => Site[];
  /** All that a site's schema says, what it refers to included, as a text. */
  said(site: Site): string;
  /** The same by the pointer of each shared schema; what stands at the site itself by no name. */
  parts(site: Site): ReadonlyMap<string, string>;
}

/** @param document OpenAPI 3.1, in one piece */
export function reachIn(document: object): Reach {
  const known = new Map<string, Set<string>>();
  const referencesFrom = (pointer: string): Set<string> => {
    const found = known.get(pointer) ?? new Set<string>();
    if (known.has(pointer)) return found;
    known.set(pointer, found);
    JSON.stringify(valueAt(document, pointer), (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#/'))
        found.add(`/${stepsOf(value).map(escapePointer).join('/')}`);
      return value;
    });
    return found;
  };
  const reached = new Map<string, string[]>();
  const rootsOf = ({ pointer }: Site): string[] => {
    const before = reached.get(pointer);
    if (before) return before;
    const all = new Set([pointer]);
    for (const each of all) for (const next of referencesFrom(each)) all.add(next);
    reached.set(pointer, [...all]);
    return [...all];
  };
  const parts = (site: Site) =>
    new Map(
      rootsOf(site).map((root, index) => [index === 0 ? '' : root, canonical(valueAt(document, root))]),
    );
  return {
    index: (sites) => indexBy(sites, rootsOf),
    parts,
    // Where it stands is not what it says.
    said: (site) => [...parts(site)].map(([name, text]) => name + text).join('\n'),
  };
}

function indexBy(
  sites: readonly Site[],
  rootsOf: (site: Site) => readonly string[],
): (pointer: string) => Site[] {
  const byRoot = new Map<string, number[]>();
  for (const [place, site] of sites.entries())
    for (const root of rootsOf(site)) {
      const known = byRoot.get(root) ?? [];
      byRoot.set(root, known);
      known.push(place);
    }
  return (pointer) => {
    const places = new Set(within(pointer).flatMap((root) => byRoot.get(root) ?? []));
    return sites.filter((_site, place) => places.has(place));
  };
}

/** Every place that a pointer leads to or into. */
function within(pointer: string): string[] {
  const steps = pointer.split('/');
  return steps.map((_step, count) => steps.slice(0, count + 1).join('/'));
}

/** Whether a pointer leads to a place or into it. */
export const isWithin = (pointer: string, place: string): boolean =>
  pointer === place || pointer.startsWith(`${place}/`);
