import { escapePointer } from '../../server/text.ts';
import { methods } from '../generate/document.ts';
import { stepsOf, valueAt } from '../instances/pointer.ts';
import { isObject } from '../instances/schema.ts';

/** Whether the caller sends a value, or gets it. */
export type Direction = 'requests' | 'answers';

/** A place of the contract at which values travel: a body, a parameter, a header. */
export interface Site {
  /** The same in every version of a contract. */
  name: string;
  /** Method and path, or the name of a webhook. */
  operation: string;
  direction: Direction;
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

  const add = (place: Place, site: Pick<Site, 'name' | 'operation' | 'direction'>) => {
    for (const [mediaType, inner] of each(place, 'content'))
      add(inner, { ...site, name: `${site.name} ${mediaType}` });
    const { schema } = place.node;
    if (schema === undefined) return;
    found.push({ ...site, pointer: `${place.pointer}/schema`, path: `${place.path}/schema` });
    // What a text holds once it is decoded has a schema of its own.
    const content = isObject(schema) ? schema.contentSchema : undefined;
    if (content !== undefined)
      found.push({
        ...site,
        name: `${site.name}, decoded`,
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
      });
    }
    const body = step(place, 'requestBody');
    if (body) add(body, { name: `${operation} body`, operation, direction: caller });
    for (const [status, response] of each(place, 'responses')) {
      const answer = `${operation} ${status}`;
      add(response, { name: answer, operation, direction: other });
      for (const [name, header] of each(response, 'headers'))
        add(header, { name: `${answer} header ${name.toLowerCase()}`, operation, direction: other });
    }
    for (const [name, callback] of each(place, 'callbacks'))
      for (const expression of Object.keys(callback.node)) {
        const item = step(callback, expression);
        if (item) readItem(item, `${operation} callback ${name}`, expression, other);
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

/** Whether a change at a pointer changes what travels at a site. */
export type Reach = (site: Site, pointer: string) => boolean;

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
  return (site, pointer) => rootsOf(site).some((root) => isWithin(pointer, root));
}

/** Whether a pointer leads to a place or into it. */
export const isWithin = (pointer: string, place: string): boolean =>
  pointer === place || pointer.startsWith(`${place}/`);
