import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { pointerTokens, referencesIn, resolvePointer } from '../../lib/json-pointer.ts';
import { oncePer } from '../../lib/once.ts';
import { httpMethods } from '../../lib/openapi-document.ts';
import { canonicalJson } from '../../testing/schema-values/schema.ts';
import type { Contract } from '../model/contract.ts';

/** Whether a client sends or receives the value. */
export type Direction = 'requests' | 'responses';

/** A location of a value in the contract: a body, a parameter, a header. */
export interface SchemaLocation {
  /** Identifies the same location in both versions of the contract. */
  name: string;
  /** Human-readable name, with the names of path parameters (default: `name`). */
  title?: string;
  /** The method, with the path or with the name of the webhook or callback. */
  operation: string;
  direction: Direction;
  /** Names of the locations that apply if a version lacks this one: for response 404, those of 4XX and default. */
  otherwise: readonly string[];
  /** JSON Pointer to the schema. It starts at the target of the last reference along the path. */
  pointer: string;
  /**
   * The steps from the root to the schema, as a JSON Pointer. Unlike `pointer`, it continues through a reference.
   */
  path: string;
}

interface ResolvedNode {
  node: JsonObject;
  pointer: string;
  path: string;
}

/** Returns all locations in a contract. */
export function schemaLocationsOf({ document, follow }: Contract): SchemaLocation[] {
  const found: SchemaLocation[] = [];

  /** Returns the target of a step, following references. */
  const step = ({ pointer, path }: ResolvedNode, ...names: string[]): ResolvedNode | undefined => {
    const way = names.map((name) => `/${escapePointer(name)}`).join('');
    const given = resolvePointer(document, pointer + way);
    return isObject(given) ? { ...follow(given, pointer + way), path: path + way } : undefined;
  };
  const namesIn = (location: ResolvedNode, word: string): string[] => {
    const map = location.node[word];
    if (Array.isArray(map)) return map.map((_, index) => String(index));
    return isObject(map) ? Object.keys(map) : [];
  };
  const each = (location: ResolvedNode, word: string): [string, ResolvedNode][] =>
    namesIn(location, word).flatMap((name) => {
      const inner = step(location, word, name);
      return inner ? [[name, inner]] : [];
    });

  const add = (
    location: ResolvedNode,
    site: Pick<SchemaLocation, 'name' | 'operation' | 'direction' | 'otherwise'>,
  ) => {
    for (const [mediaType, inner] of each(location, 'content')) {
      const types = [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*'];
      const [name = '', ...otherwise] = [site.name, ...site.otherwise].flatMap((each) =>
        types.map((type) => `${each} ${type}`),
      );
      add(inner, { ...site, name, otherwise });
    }
    const { schema } = location.node;
    if (schema === undefined) return;
    found.push({ ...site, pointer: `${location.pointer}/schema`, path: `${location.path}/schema` });
    // The decoded content of an encoded string has a schema of its own.
    const content = isObject(schema) ? schema.contentSchema : undefined;
    if (content !== undefined)
      found.push({
        ...site,
        name: `${site.name}, decoded`,
        otherwise: [],
        pointer: `${location.pointer}/schema/contentSchema`,
        path: `${location.path}/schema/contentSchema`,
      });
  };

  const readOperation = (location: ResolvedNode, operation: string, template: string, caller: Direction) => {
    const other = caller === 'requests' ? 'responses' : 'requests';
    for (const [, parameter] of each(location, 'parameters')) {
      const { name, in: where } = parameter.node;
      // Path parameters are compared by position, because clients do not see their names.
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
    const body = step(location, 'requestBody');
    if (body) add(body, { name: `${operation} body`, operation, direction: caller, otherwise: [] });
    const responses = each(location, 'responses');
    for (const [status, response] of responses) {
      const answer = (as: string) => `${operation} ${as}`;
      // `default` describes errors if a success has a response of its own.
      const isOfError =
        status.startsWith('2') && responses.some(([other]) => other !== status && other.startsWith('2'));
      const otherwise = [`${status[0]}XX`, ...(isOfError ? [] : ['default'])].filter(
        (as) => as !== status && status !== 'default',
      );
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
    for (const [name, callback] of each(location, 'callbacks'))
      for (const expression of Object.keys(callback.node)) {
        const item = step(callback, expression);
        if (item) readItem(item, `callback ${name} of ${operation}`, expression, other);
      }
  };
  const readItem = (item: ResolvedNode, called: string, template: string, caller: Direction) => {
    for (const method of httpMethods) {
      const operation = step(item, method);
      if (operation) readOperation(operation, `${method.toUpperCase()} ${called}`, template, caller);
    }
  };

  const root: ResolvedNode = { node: { ...document }, pointer: '', path: '' };
  for (const [path, item] of each(root, 'paths'))
    readItem(item, path.replace(/\{[^}]+\}/g, '{}'), path, 'requests');
  // A webhook request is received by clients, like a response.
  for (const [name, item] of each(root, 'webhooks')) readItem(item, `webhook ${name}`, '', 'responses');
  return found;
}

export const locationsByName = (locations: readonly SchemaLocation[]): ReadonlyMap<string, SchemaLocation> =>
  new Map(locations.map((location) => [location.name, location]));

export interface Reach {
  /** Returns a function that looks up the locations that a change at a JSON Pointer affects. */
  index(locations: readonly SchemaLocation[]): (pointer: string) => SchemaLocation[];
  /** Returns the text of each schema of a location, by JSON Pointer. The key of the location's own schema is empty. */
  parts(location: SchemaLocation): ReadonlyMap<string, string>;
}

/** Creates lookups of the schemas that locations use, directly or by reference. @param document bundled OpenAPI 3.1 */
export function createReachIndex(document: object): Reach {
  const referencesFrom = oncePer((pointer: string) =>
    referencesIn(resolvePointer(document, pointer))
      .filter((reference) => reference.startsWith('#/'))
      .map((reference) => `/${pointerTokens(reference).map(escapePointer).join('/')}`),
  );
  const rootsOf = oncePer(
    ({ pointer }: SchemaLocation): string[] => {
      const all = new Set([pointer]);
      for (const each of all) for (const next of referencesFrom(each)) all.add(next);
      return [...all];
    },
    ({ pointer }) => pointer,
  );
  const textAt = oncePer((pointer: string) => canonicalJson(resolvePointer(document, pointer)) ?? '');
  return {
    index: (locations) => indexBy(locations, rootsOf),
    // The pointer of the location's own schema differs between the versions.
    parts: (location) =>
      new Map(rootsOf(location).map((root, index) => [index === 0 ? '' : root, textAt(root)])),
  };
}

function indexBy(
  sites: readonly SchemaLocation[],
  rootsOf: (location: SchemaLocation) => readonly string[],
): (pointer: string) => SchemaLocation[] {
  const pairs = sites.flatMap((site) => rootsOf(site).map((root) => ({ site, root })));
  const byRoot = Map.groupBy(pairs, ({ root }) => root);
  return (pointer) => {
    const found = new Set(
      within(pointer).flatMap((root) => (byRoot.get(root) ?? []).map(({ site }) => site)),
    );
    return sites.filter((site) => found.has(site));
  };
}

/** Returns a pointer and the pointers to everything that contains its target. */
function within(pointer: string): string[] {
  const steps = pointer.split('/');
  return steps.map((_step, count) => steps.slice(0, count + 1).join('/'));
}

/** Whether a pointer leads to a location or into it. */
export const isWithin = (pointer: string, location: string): boolean =>
  pointer === location || pointer.startsWith(`${location}/`);
