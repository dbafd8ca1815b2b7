import { defineOwn, ownOf } from '../../../server/lib/own-property.ts';
import {
  anyShape,
  type ObjectShape,
  type ScalarShape,
  type Shape,
  scalarTypes,
} from '../../../server/validation/parameters/shape.ts';

/**
 * Returns the shape of a value that has both shapes, as the parts of `allOf` demand. If there is no such value, returns
 * the first one, because the schema rejects every value.
 */
export function mergeShapes(one: Shape, other: Shape): Shape {
  if (other.kind === 'any' || other.kind === 'reference') return one;
  if (one.kind === 'any' || one.kind === 'reference') return other;
  if (one.kind === 'named') return { ...one, shape: mergeShapes(one.shape, withoutName(other)) };
  if (other.kind === 'named') return { ...other, shape: mergeShapes(one, other.shape) };
  if (one.kind === 'union' || other.kind === 'union') {
    const merged = alternativesOf(one).flatMap((each) =>
      alternativesOf(other).flatMap((its) => (canMerge(each, its) ? [mergeShapes(each, its)] : [])),
    );
    return unionOf(merged, [...checksOf(one), ...checksOf(other)]) ?? one;
  }
  if (one.kind === 'scalar' && other.kind === 'scalar') return mergeScalars(one, other);
  if (one.kind === 'object' && other.kind === 'object') return mergeObjects(one, other);
  if (one.kind !== 'array' || other.kind !== 'array') return one;
  const [mine, theirs] = [one, other];
  return {
    kind: 'array',
    items: mergeShapes(mine.items, theirs.items),
    prefix: Array.from({ length: Math.max(mine.prefix.length, theirs.prefix.length) }, (_, index) =>
      mergeShapes(mine.prefix[index] ?? mine.items, theirs.prefix[index] ?? theirs.items),
    ),
  };
}

/**
 * Returns the shape of a value that has one of several shapes; undefined if the list is empty.
 * @param checks JSON Pointers of the schemas that decide
 */
export function unionOf(alternatives: readonly Shape[], checks: readonly string[]): Shape | undefined {
  const flat = alternatives.flatMap(alternativesOf);
  const scalars = flat.filter((each) => each.kind === 'scalar');
  // A text without a known type stays text, as a string does.
  const untyped = flat.filter(({ kind }) => kind === 'any').length;
  if (flat.length > 0 && scalars.length + untyped === flat.length)
    return scalars.length === 0 ? anyShape : joinScalars(scalars, untyped > 0, checks);
  const texts = flat.map((each) => JSON.stringify(each));
  const distinct = flat.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
  return distinct.length > 1
    ? { kind: 'union', alternatives: distinct, checks: unique(checks) }
    : distinct[0];
}

/** Returns a scalar shape whose types are in the order in which they are tried. */
export function scalarShape(
  types: readonly unknown[],
  checks: readonly string[],
  format?: ScalarShape['format'],
): ScalarShape {
  return {
    kind: 'scalar',
    types: scalarTypes.filter((type) => types.includes(type)),
    checks: unique(checks),
    ...(format === undefined ? {} : { format }),
  };
}

function joinScalars(
  scalars: readonly ScalarShape[],
  hasUntyped: boolean,
  checks: readonly string[],
): ScalarShape {
  const types: unknown[] = scalars.flatMap((each) => each.types);
  const format = scalars.find((each) => each.format !== undefined)?.format;
  return scalarShape(hasUntyped ? [...types, 'string'] : types, checks, format);
}

function mergeScalars(one: ScalarShape, other: ScalarShape): ScalarShape {
  const allows = ({ types }: ScalarShape, type: string): boolean =>
    types.some((each) => each === type || (each === 'number' && type === 'integer'));
  const common = [...one.types, ...other.types].filter((type) => allows(one, type) && allows(other, type));
  return scalarShape(
    common.length > 0 ? common : one.types,
    [...one.checks, ...other.checks],
    one.format ?? other.format,
  );
}

function mergeObjects(one: ObjectShape, other: ObjectShape): ObjectShape {
  const properties: Record<string, Shape> = {};
  for (const name of new Set([...Object.keys(one.properties), ...Object.keys(other.properties)])) {
    const [mine, theirs] = [ownOf(one.properties, name), ownOf(other.properties, name)];
    defineOwn(properties, name, mergeShapes(mine ?? anyShape, theirs ?? anyShape));
  }
  const isOpen = one.names === 'open' || other.names === 'open';
  const isBare = one.names === 'bare' && other.names === 'bare';
  return {
    kind: 'object',
    properties,
    patterns: [...one.patterns, ...other.patterns],
    additional: mergeShapes(one.additional, other.additional),
    names: isOpen ? 'open' : isBare ? 'bare' : 'declared',
  };
}

function canMerge(one: Shape, other: Shape): boolean {
  const [mine, theirs] = [withoutName(one).kind, withoutName(other).kind];
  return mine === theirs || [mine, theirs].some((kind) => kind === 'any' || kind === 'reference');
}

const withoutName = (shape: Shape): Shape => (shape.kind === 'named' ? withoutName(shape.shape) : shape);

const alternativesOf = (shape: Shape): readonly Shape[] =>
  shape.kind === 'union' ? shape.alternatives : [shape];

const checksOf = (shape: Shape): readonly string[] =>
  shape.kind === 'union' || shape.kind === 'scalar' ? shape.checks : [];

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
