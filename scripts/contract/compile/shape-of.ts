import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import {
  anyShape,
  type ObjectShape,
  type ScalarShape,
  type Shape,
  untypedObject,
} from '../../../server/validation/parameters/shape.ts';
import { decodedPointerOf } from './document-pointers.ts';
import { mergeShapes, scalarShape, unionOf } from './merge-shapes.ts';

/** Maximum number of schemas in a shape. Schemas that refer to each other in many ways would fill the memory. */
const maxSchemas = 5_000;

interface Walk {
  resolve: (reference: string) => unknown;
  /** References from properties and items that lead to this schema, and whether a shape inside refers back. */
  outer: ReadonlyMap<string, { isUsed: boolean }>;
  /** References of this value that were followed already. */
  inPlace: readonly string[];
  count: { schemas: number };
  /** How many levels of objects have properties in the shape. Those further inside are objects of which nothing is known. */
  levels: number;
}

/**
 * Returns how text becomes a value of a schema.
 * @param pointer JSON Pointer of the schema in its document
 * @param resolve returns the schema to which a reference leads
 * @param levels of objects whose properties are read (default: all)
 * @throws Error if a reference is not a JSON Pointer, or the schema has too many parts
 */
export function shapeOf(
  schema: unknown,
  pointer: string,
  resolve: (reference: string) => unknown,
  levels = Number.POSITIVE_INFINITY,
): Shape {
  const count = { schemas: 0 };
  return shapeAt(schema, pointer, { resolve, outer: new Map(), inPlace: [], count, levels });
}

function shapeAt(schema: unknown, pointer: string, walk: Walk): Shape {
  if (!isObject(schema)) return anyShape;
  walk.count.schemas += 1;
  if (walk.count.schemas > maxSchemas)
    throw new Error(
      `The schema at ${pointer} has more than ${maxSchemas} parts inside and behind references.`,
    );
  const part = (inner: unknown, step: string): Shape => shapeAt(inner, `${pointer}/${step}`, walk);
  const parts = listOf(schema.allOf).map((each, index) => part(each, `allOf/${index}`));
  if (typeof schema.$ref === 'string') parts.push(referenced(schema.$ref, walk));
  for (const keyword of ['oneOf', 'anyOf']) {
    const alternatives = listOf(schema[keyword]).map((each, index) => part(each, `${keyword}/${index}`));
    parts.push(unionOf(alternatives, [pointer]) ?? anyShape);
  }
  const merged = [ownShape(schema, pointer, walk), ...parts].reduce(mergeShapes);
  // The schema itself includes the checks of its parts.
  return merged.kind === 'scalar' || merged.kind === 'union' ? { ...merged, checks: [pointer] } : merged;
}

/** Follows a reference to a schema of the same value. A circle adds nothing. */
function referenced(reference: string, walk: Walk): Shape {
  if (walk.inPlace.includes(reference)) return anyShape;
  const inner = { ...walk, inPlace: [...walk.inPlace, reference] };
  return shapeAt(walk.resolve(reference), decodedPointerOf(reference), inner);
}

/** Returns the shape of a property or an item, which may contain the schema around it. */
function inside(schema: unknown, pointer: string, walk: Walk): Shape {
  const name = isObject(schema) && Object.keys(schema).length === 1 ? schema.$ref : undefined;
  if (typeof name !== 'string') {
    // Schemas beside keywords are circular, too, if their pointer comes again.
    return nested(pointer, walk, (inner) => shapeAt(schema, pointer, inner));
  }
  return nested(decodedPointerOf(name), walk, (inner) =>
    shapeAt(walk.resolve(name), decodedPointerOf(name), inner),
  );
}

function nested(name: string, walk: Walk, make: (walk: Walk) => Shape): Shape {
  const known = walk.outer.get(name);
  if (known) {
    known.isUsed = true;
    return { kind: 'reference', name };
  }
  const here = { isUsed: false };
  const shape = make({ ...walk, outer: new Map([...walk.outer, [name, here]]), inPlace: [] });
  return here.isUsed ? { kind: 'named', name, shape } : shape;
}

/** Returns the shape that the keywords of a schema demand, without those that combine schemas. */
function ownShape(schema: JsonObject, pointer: string, walk: Walk): Shape {
  const types = typesOf(schema);
  const values = valuesOf(schema);
  if (types === undefined) {
    if (values !== undefined) return shapeOfValues(values, [pointer]);
    if (objectKeywords.some((keyword) => keyword in schema)) return objectShape(schema, pointer, walk, false);
    if (arrayKeywords.some((keyword) => keyword in schema)) return arrayShape(schema, pointer, walk);
    return numberKeywords.some((keyword) => keyword in schema)
      ? scalarShape(['number', 'string'], [pointer], formatOf(schema))
      : anyShape;
  }
  const has = (type: string): boolean => types.includes(type);
  const scalar = scalarShape(
    types.filter((type) => type !== 'string' || !(has('array') || has('object'))),
    [pointer],
    formatOf(schema),
  );
  const alternatives: Shape[] = [
    ...(scalar.types.length > 0 ? [scalar] : []),
    ...(has('array') ? [arrayShape(schema, pointer, walk)] : []),
    ...(has('object') ? [objectShape(schema, pointer, walk, true)] : []),
    // Every text is a string, so this is the last alternative.
    ...(has('string') && !scalar.types.includes('string') ? [scalarShape(['string'], [pointer])] : []),
  ];
  return unionOf(alternatives, [pointer]) ?? anyShape;
}

const objectKeywords = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];
const arrayKeywords = ['items', 'prefixItems', 'contains', 'uniqueItems', 'minItems', 'maxItems'];
const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Returns the documented types; undefined if the schema does not restrict them. `nullable` is of OpenAPI 3.0. */
function typesOf({ type, nullable }: JsonObject): unknown[] | undefined {
  if (typeof type !== 'string' && !Array.isArray(type)) return undefined;
  return [...[type].flat(), ...(nullable === true ? ['null'] : [])];
}

function valuesOf(schema: JsonObject): unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) && schema.enum.length > 0 ? schema.enum : undefined;
}

const formatOf = ({ format }: JsonObject): ScalarShape['format'] =>
  format === 'int64' || format === 'uint64' ? format : undefined;

function arrayShape(schema: JsonObject, pointer: string, walk: Walk): Shape {
  return {
    kind: 'array',
    items: inside(schema.items, `${pointer}/items`, walk),
    prefix: listOf(schema.prefixItems).map((each, index) =>
      inside(each, `${pointer}/prefixItems/${index}`, walk),
    ),
  };
}

function objectShape(schema: JsonObject, pointer: string, outer: Walk, isTyped: boolean): ObjectShape {
  if (outer.levels === 0) return untypedObject;
  const walk = { ...outer, levels: outer.levels - 1 };
  const below = (keyword: string): [string, Shape][] =>
    Object.entries(objectOf(schema[keyword])).map(([name, each]) => [
      name,
      inside(each, `${pointer}/${keyword}/${escapePointer(name)}`, walk),
    ]);
  const properties: Record<string, Shape> = {};
  for (const [name, shape] of below('properties')) defineOwn(properties, name, shape);
  const keyword = 'additionalProperties' in schema ? 'additionalProperties' : 'unevaluatedProperties';
  const others = schema[keyword];
  const isOpen = (others !== undefined && others !== false) || 'patternProperties' in schema;
  const isBare = isTyped && others === undefined && !('properties' in schema);
  return {
    kind: 'object',
    properties,
    patterns: below('patternProperties'),
    additional: inside(others, `${pointer}/${keyword}`, walk),
    names: isOpen ? 'open' : isBare ? 'bare' : 'declared',
  };
}

/**
 * Returns the shape of the values that `enum` or `const` lists.
 * @param checks JSON Pointers of the schema that lists them
 */
function shapeOfValues(values: readonly unknown[], checks: readonly string[]): Shape {
  const lists = values.filter((each) => Array.isArray(each));
  const objects = values.filter(isObject);
  const types = new Set(values.flatMap(scalarTypeOf));
  const alternatives: Shape[] = [
    ...(types.size > 0 ? [scalarShape([...types], checks)] : []),
    ...(lists.length > 0 ? [{ kind: 'array', items: untyped(lists.flat()), prefix: [] } as const] : []),
    ...(objects.length > 0 ? [objectShapeOf(objects)] : []),
  ];
  return unionOf(alternatives, checks) ?? anyShape;
}

function objectShapeOf(objects: readonly Record<string, unknown>[]): Shape {
  const properties: Record<string, Shape> = {};
  for (const name of new Set(objects.flatMap((each) => Object.keys(each))))
    defineOwn(
      properties,
      name,
      untyped(objects.flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []))),
    );
  return { kind: 'object', properties, patterns: [], additional: anyShape, names: 'declared' };
}

/** No schema describes the values inside listed values, so those of several types stay text. */
function untyped(values: readonly unknown[]): Shape {
  const shape = shapeOfValues(values, []);
  return shape.kind === 'union' || (shape.kind === 'scalar' && shape.types.length > 1) ? anyShape : shape;
}

function scalarTypeOf(value: unknown): string[] {
  if (value === null) return ['null'];
  if (typeof value === 'number') return [Number.isInteger(value) ? 'integer' : 'number'];
  return typeof value === 'string' || typeof value === 'boolean' ? [typeof value] : [];
}
