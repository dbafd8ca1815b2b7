import { isObject } from '../../../server/lib/json-object.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { anyShape, type Shape } from '../../../server/validation/parameters/shape.ts';
import { scalarShape, unionOf } from './merge-shapes.ts';

/**
 * Returns the shape of the values that `enum` or `const` lists.
 * @param checks JSON Pointers of the schema that lists them
 */
export function shapeOfValues(values: readonly unknown[], checks: readonly string[]): Shape {
  const lists = values.filter((each) => Array.isArray(each));
  const objects = values.filter(isObject);
  const types = new Set(values.flatMap(scalarTypeOf));
  const alternatives: Shape[] = [
    ...(types.size > 0 ? [scalarShape([...types], checks)] : []),
    ...(lists.length > 0 ? [{ kind: 'array', items: untyped(lists.flat()), prefix: [] } as const] : []),
    ...(objects.length > 0 ? [objectOf(objects)] : []),
  ];
  return unionOf(alternatives, checks) ?? anyShape;
}

function objectOf(objects: readonly Record<string, unknown>[]): Shape {
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
