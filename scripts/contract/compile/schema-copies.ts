import type { CompactSchema } from '../../../server/contract/compiled-contract.ts';
import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { once } from '../../lib/once.ts';
import { markedPropertiesBy } from '../model/read-write-views.ts';
import { selectedBranches } from './discriminator-branches.ts';
import {
  dataKeywords,
  decodedPointerOf,
  mapKeywords,
  reachOf,
  schemaAt,
  schemaKeywords,
  targetPointer,
  valueKeywords,
} from './document-pointers.ts';

/** The kind of message that a schema describes. Read-only properties are not sent in requests, write-only ones not in responses. */
export type Direction = 'request' | 'response';

/** The schemas of a document that a compiled contract needs, by short names. */
export interface SchemaCopies {
  /**
   * Returns the name of the copy of a schema, which is made if needed.
   * @param pointer JSON Pointer into the document; that of a reference is the same as that of its target
   * @param direction undefined for a view of a contract, in which properties have been left out already
   * @param left names of properties that the message does not have, because of a schema that is combined with this one
   */
  nameOf: (pointer: string, direction: Direction | undefined, left?: readonly string[]) => string;
  /** Returns the names of the copies made so far that messages of a direction use, by JSON Pointer. */
  namesIn: (direction: Direction) => ReadonlyMap<string, string>;
  /** Returns the JSON Pointer of a copied schema. */
  locationOf: (name: string) => string;
  /** Returns the schema of the document of which a schema inside a copy was made; undefined for a boolean. */
  originOf: (copy: unknown) => unknown;
  /** The names of all copies. */
  names: readonly string[];
  /** The copies by name. Their references are names. More are added by `nameOf`. */
  all: Readonly<Record<string, CompactSchema>>;
}

/** Creates the copies of a document's schemas. @param document a bundled OpenAPI 3.1 document */
export function createSchemaCopies(document: object): SchemaCopies {
  const all: Record<string, CompactSchema> = {};
  const names: string[] = [];
  const known = new Map<string, string>();
  const pointers = new Map<string, string>();
  const origins = new WeakMap<object, unknown>();
  const marks = once(() => createMarks(document));

  const nameOf: SchemaCopies['nameOf'] = (given, direction, left = []) => {
    const pointer = targetPointer(document, given);
    const schema = schemaAt(document, pointer);
    const own = direction && left.length > 0 ? marks().namesIn(objectOf(schema), direction) : [];
    const others = [...new Set(left)].filter((name) => !own.includes(name)).sort();
    // Most schemas have no read-only or write-only properties, and are the same in both directions.
    const isMarked = others.length > 0 || (direction && marks().isReached(pointer));
    const view = isMarked ? [direction, ...others.map((name) => JSON.stringify(name))].join() : '';
    const key = `${view} ${pointer}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const name = `s${names.length}`;
    names.push(name);
    known.set(key, name);
    pointers.set(name, pointer);
    // Set before its references are followed, because they can lead back.
    all[name] = {};
    all[name] = copySchema(schema, { document, direction, marks, nameOf, origins }, others);
    return name;
  };
  return {
    nameOf,
    namesIn: (direction) =>
      new Map(
        [...known].flatMap(([key, name]): [string, string][] => {
          const pointer = key.slice(key.indexOf(' ') + 1);
          return key === ` ${pointer}` || key === `${direction} ${pointer}` ? [[pointer, name]] : [];
        }),
      ),
    locationOf: (name) => pointers.get(name) ?? '',
    originOf: (copy) => (isObject(copy) ? origins.get(copy) : undefined),
    names,
    all,
  };
}

// They change where references lead, so they cannot be ignored. Identifiers of schemas are, because bundled references do
// not use them.
const unsupportedKeywords = ['$dynamicRef', '$recursiveRef'];

interface Copying {
  document: object;
  direction: Direction | undefined;
  marks: () => Marks;
  nameOf: SchemaCopies['nameOf'];
  origins: WeakMap<object, unknown>;
}

/** @param left names of properties that the message does not have, because of a schema around this one */
function copySchema(schema: unknown, copying: Copying, left: readonly string[]): CompactSchema {
  if (typeof schema === 'boolean') return schema;
  const node = objectOf(schema);
  const unsupported = unsupportedKeywords.find((keyword) => keyword in node);
  if (unsupported !== undefined) throw new Error(`The keyword ${unsupported} is not supported.`);
  const { direction } = copying;
  const names = direction ? [...left, ...copying.marks().namesIn(node, direction)] : [];
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === '$ref' && typeof value === 'string')
      copy.$ref = copying.nameOf(decodedPointerOf(value), copying.direction, names);
    else if (keyword === 'required')
      copy.required = listOf(value).filter((name) => !names.includes(String(name)));
    else if (keyword === 'properties') copy.properties = copyProperties(objectOf(value), copying, names);
    else if (mapKeywords.has(keyword))
      copy[keyword] = mapOwn(objectOf(value), (each) => copySchema(each, copying, []));
    else if (schemaKeywords.has(keyword))
      // Combined schemas lack the same properties.
      copy[keyword] = Array.isArray(value)
        ? value.map((each) => copySchema(each, copying, keyword === 'prefixItems' ? [] : names))
        : copySchema(value, copying, []);
    else if (dataKeywords.has(keyword) || valueKeywords.has(keyword)) copy[keyword] = value;
  }
  const made = withDiscriminator(copy, node, copying, names);
  copying.origins.set(made, schema);
  return made;
}

function copyProperties(
  properties: Record<string, unknown>,
  copying: Copying,
  left: readonly string[],
): Record<string, unknown> {
  const forbidden: CompactSchema = {
    forbidden: copying.direction === 'request' ? 'read-only' : 'write-only',
  };
  return mapOwn(properties, (schema, name) =>
    left.includes(name) ? forbidden : copySchema(schema, copying, []),
  );
}

/**
 * Adds what a discriminator beside `oneOf` or `anyOf` demands: its value must be one of the known ones, and the schema to
 * which it is mapped must match (OpenAPI 3.1.1, section 4.8.25).
 */
function withDiscriminator(
  copy: Record<string, unknown>,
  node: Record<string, unknown>,
  { document, nameOf, direction }: Copying,
  left: readonly string[],
): Exclude<CompactSchema, boolean> {
  const selected = selectedBranches(document, node);
  if (!selected) return copy;
  const branches = Object.fromEntries(
    [...selected.pointers].map(([value, pointer]) => [value, nameOf(pointer, direction, left)]),
  );
  const { property, values } = selected;
  return { ...copy, discriminator: { property, branches, values } };
}

/** What of a document is marked as read-only or write-only. */
interface Marks {
  /** Whether the copy of a schema depends on the direction. */
  isReached: (pointer: string) => boolean;
  /** Returns the properties that a message of a direction does not have, of a schema and all schemas combined with it. */
  namesIn: (schema: Record<string, unknown>, direction: Direction) => readonly string[];
}

function createMarks(document: object): Marks {
  const resolve = (reference: string) =>
    schemaAt(document, targetPointer(document, decodedPointerOf(reference)));
  const readOnlyIn = markedPropertiesBy(resolve, 'readOnly');
  const writeOnlyIn = markedPropertiesBy(resolve, 'writeOnly');
  const reached = reachOf(document, ({ readOnly, writeOnly }) => readOnly === true || writeOnly === true);
  const isUsed = reached.size > 0;
  return {
    isReached: (pointer) => reached.has(pointer),
    namesIn: (schema, direction) =>
      isUsed ? (direction === 'request' ? readOnlyIn : writeOnlyIn)(schema) : [],
  };
}

/** Changes the values of an object by their names, also by one that is `__proto__`. */
export const mapOwn = <Value>(
  values: Readonly<Record<string, unknown>>,
  change: (value: unknown, name: string) => Value,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
