import { escapePointer, unescapePointer } from '../../../server/lib/json-text.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import type { CompactSchema } from '../../../server/pipeline/compiled-contract.ts';
import { isDocumentNode, listOf, nodeOf } from '../../../server/pipeline/document-node.ts';
import { pointerOf, schemaAt, targetOf } from './document-pointers.ts';
import { dataKeywords, mapKeywords, schemaKeywords, valueKeywords } from './keywords.ts';
import { reachOf } from './reach.ts';

/** The kind of message that a schema describes. Read-only properties are not sent in requests, write-only ones not in responses. */
export type Direction = 'request' | 'response';

/** The schemas of a document that a compiled contract needs, by short names. */
export interface SchemaCopies {
  /**
   * Returns the name of the copy of a schema, which is made if needed.
   * @param pointer JSON Pointer into the document; that of a reference is the same as that of its target
   */
  nameOf: (pointer: string, direction: Direction) => string;
  /** Returns the JSON Pointer of a copied schema. */
  locationOf: (name: string) => string;
  /** The copies by name. Their references are names. More are added by `nameOf`. */
  all: Readonly<Record<string, CompactSchema>>;
}

/** Creates the copies of a document's schemas. @param document a bundled OpenAPI 3.1 document */
export function createSchemaCopies(document: object): SchemaCopies {
  const all: Record<string, CompactSchema> = {};
  const names = new Map<string, string>();
  const pointers = new Map<string, string>();
  const marks = createMarks(document);

  const nameOf = (given: string, direction: Direction): string => {
    const pointer = targetOf(document, given);
    // Most schemas have no read-only or write-only properties, and are the same in both directions.
    const key = `${marks.isReached(pointer) ? direction : ''} ${pointer}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = `s${names.size}`;
    names.set(key, name);
    pointers.set(name, pointer);
    const schema = schemaAt(document, pointer);
    // Set before its references are followed, because they can lead back.
    all[name] = {};
    all[name] = copySchema(schema, { direction, marks, nameOf }, []);
    return name;
  };
  return { nameOf, locationOf: (name) => pointers.get(name) ?? '', all };
}

// They change where references lead, so they cannot be ignored. Identifiers of schemas are, because bundled references do
// not use them.
const unsupportedKeywords = ['$dynamicRef', '$recursiveRef'];

interface Copying {
  direction: Direction;
  marks: Marks;
  nameOf: SchemaCopies['nameOf'];
}

/** @param left names of properties that the message does not have, because of a schema around this one */
function copySchema(schema: unknown, copying: Copying, left: readonly string[]): CompactSchema {
  if (typeof schema === 'boolean') return schema;
  const node = nodeOf(schema);
  const unsupported = unsupportedKeywords.find((keyword) => keyword in node);
  if (unsupported !== undefined) throw new Error(`The keyword ${unsupported} is not supported.`);
  const names = [...left, ...copying.marks.namesIn(node, copying.direction)];
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === '$ref' && typeof value === 'string')
      copy.$ref = copying.nameOf(pointerOf(value), copying.direction);
    else if (keyword === 'required')
      copy.required = listOf(value).filter((name) => !names.includes(String(name)));
    else if (keyword === 'properties') copy.properties = copyProperties(nodeOf(value), copying, names);
    else if (mapKeywords.has(keyword))
      copy[keyword] = mapOwn(nodeOf(value), (each) => copySchema(each, copying, []));
    else if (schemaKeywords.has(keyword))
      // Combined schemas lack the same properties.
      copy[keyword] = Array.isArray(value)
        ? value.map((each) => copySchema(each, copying, keyword === 'allOf' ? names : []))
        : copySchema(value, copying, []);
    else if (dataKeywords.has(keyword) || valueKeywords.has(keyword)) copy[keyword] = value;
  }
  return withDiscriminator(copy, node, copying);
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
  { discriminator, oneOf, anyOf }: Record<string, unknown>,
  { nameOf, direction }: Copying,
): CompactSchema {
  const { propertyName, mapping } = nodeOf(discriminator);
  const references = listOf(oneOf ?? anyOf).map((branch) => nodeOf(branch).$ref);
  if (typeof propertyName !== 'string' || references.length === 0) return copy;
  if (!references.every((reference) => typeof reference === 'string')) return copy;
  const listed = references.map((reference) => pointerOf(reference));
  const implied = listed.map((pointer) => [
    unescapePointer(pointer.slice(pointer.lastIndexOf('/') + 1)),
    pointer,
  ]);
  const mapped = Object.entries(nodeOf(mapping)).map(([value, target]) => [
    value,
    mappedPointer(String(target)),
  ]);
  const branches = Object.fromEntries(
    [...implied, ...mapped].flatMap(([value, pointer]) =>
      value !== undefined && pointer !== undefined && listed.includes(pointer)
        ? [[value, nameOf(pointer, direction)]]
        : [],
    ),
  );
  const named = mapped
    .map(([value]) => value)
    .filter((value) => value !== undefined && Object.hasOwn(branches, value));
  const values = named.length > 0 ? named : Object.keys(branches);
  return { ...copy, discriminator: { property: propertyName, branches, values } };
}

const mappedPointer = (target: string): string =>
  target.startsWith('#') ? pointerOf(target) : `/components/schemas/${escapePointer(target)}`;

/** What of a document is marked as read-only or write-only. */
interface Marks {
  /** Whether the copy of a schema depends on the direction. */
  isReached: (pointer: string) => boolean;
  /** Returns the properties that a message of a direction does not have, of a schema and all schemas combined with it. */
  namesIn: (schema: Record<string, unknown>, direction: Direction) => readonly string[];
}

const wordFor = { request: 'readOnly', response: 'writeOnly' } as const;

function createMarks(document: object): Marks {
  const combined = (node: Record<string, unknown>): unknown[] => [
    ...(typeof node.$ref === 'string' ? [schemaAt(document, targetOf(document, pointerOf(node.$ref)))] : []),
    ...listOf(node.allOf),
  ];
  const isMarked = (schema: unknown, word: string, within: readonly unknown[] = []): boolean =>
    isDocumentNode(schema) &&
    !within.includes(schema) &&
    (schema[word] === true || combined(schema).some((each) => isMarked(each, word, [...within, schema])));
  const namesIn = (schema: unknown, word: string, within: readonly unknown[] = []): string[] => {
    if (!isDocumentNode(schema) || within.includes(schema)) return [];
    const own = Object.entries(nodeOf(schema.properties)).filter(([, property]) => isMarked(property, word));
    return [
      ...own.map(([name]) => name),
      ...combined(schema).flatMap((each) => namesIn(each, word, [...within, schema])),
    ];
  };
  const reached = reachOf(document, ({ readOnly, writeOnly }) => readOnly === true || writeOnly === true);
  const isUsed = reached.size > 0;
  return {
    isReached: (pointer) => reached.has(pointer),
    namesIn: (schema, direction) => (isUsed ? namesIn(schema, wordFor[direction]) : []),
  };
}

function mapOwn<Value>(
  values: Readonly<Record<string, unknown>>,
  change: (value: unknown, name: string) => Value,
): Record<string, Value> {
  const changed: Record<string, Value> = {};
  for (const [name, value] of Object.entries(values)) defineOwn(changed, name, change(value, name));
  return changed;
}
