import fc from 'fast-check';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { followReferences } from '../../lib/json-pointer.ts';
import {
  type Alternative,
  allowedTypes,
  alternativesOf,
  schemasOfItem,
  schemasOfProperty,
} from './alternatives.ts';
import type { MakeValues } from './arbitrary.ts';
import { arraysOfLength, itemCounts, tupleLength } from './arrays.ts';
import { objects, propertyNames } from './objects.ts';
import { isSchema, type JsonSchema } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';
import { valuesOf } from './values.ts';

/** A location in a value, and one way to satisfy its schemas. */
interface ValueLocation {
  /** JSON Pointer into the value; `*` stands for any item. */
  location: string;
  alternative: Alternative;
  /** Generates whole values that have the given values at this location and are valid elsewhere. */
  whole: (values: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>;
}

// Maximum depth. Deeper locations repeat the same schemas.
const maxDepth = 8;

// Maximum number of locations per schema, the shallow ones first. If a schema has more, a note is added to the context.
export const maxLocations = 500;

/** Returns every location in values of a schema, the root first. Recursive schemas are followed once. */
export function valueLocationsOf(context: SchemaContext, schema: JsonSchema): ValueLocation[] {
  const found: ValueLocation[] = [];
  const queue: Child[] = [{ schemas: [schema], location: '', whole: (values) => values, within: [] }];
  // The loop adds the locations inside each one.
  for (const { schemas, location, whole, within } of queue) {
    const targets = schemas.map((each) => targetOf(context, each));
    const isAgain = targets.some((target) => within.filter((each) => each === target).length > 1);
    if (isAgain || location.split('/').length > maxDepth) continue;
    for (const alternative of alternativesOf(context, schemas)) {
      if (found.length === maxLocations) {
        context.notes.add(`Only the first ${maxLocations} locations of a schema are used.`);
        return found;
      }
      const one = { location, alternative, whole };
      found.push(one);
      const inside = [...within, ...targets];
      queue.push(...childrenOf(context, one).map((child) => ({ ...child, within: inside })));
    }
  }
  return found;
}

/** Follows the references of a schema to their target. Recursive schemas are recognized by their targets. */
function targetOf(context: SchemaContext, schema: JsonSchema): JsonSchema {
  const { node } = followReferences(schema, context.resolve);
  return isSchema(node) ? node : schema;
}

interface Child extends Pick<ValueLocation, 'location' | 'whole'> {
  schemas: JsonSchema[];
  /** The schemas around it. */
  within: readonly JsonSchema[];
}

type Inside = Omit<Child, 'within'>;

function childrenOf(context: SchemaContext, location: ValueLocation): Inside[] {
  const types = allowedTypes(location.alternative);
  return [
    ...(types.includes('object') ? propertiesOf(context, location) : []),
    ...(types.includes('array') ? itemsOf(context, location) : []),
  ];
}

function propertiesOf(context: SchemaContext, { location, alternative, whole }: ValueLocation): Inside[] {
  const around = objects(context, alternative, makeAt(context, location), Number.POSITIVE_INFINITY);
  if (!around) return [];
  return propertyNames(context, alternative).possible.flatMap((name) => {
    const schemas = schemasOfProperty(alternative, name);
    const put = (values: fc.Arbitrary<unknown>) =>
      whole(fc.tuple(around, values).map(([object, value]) => ({ ...asObject(object), [name]: value })));
    return schemas.length === 0
      ? []
      : [{ schemas, location: `${location}/${escapePointer(name)}`, whole: put }];
  });
}

function itemsOf(context: SchemaContext, { location, alternative, whole }: ValueLocation): Inside[] {
  const { min, max } = itemCounts(context, alternative);
  const tuple = Math.min(tupleLength(alternative), max);
  // One location for each item of the tuple, and one location for all further items.
  return Array.from({ length: max > tuple ? tuple + 1 : tuple }, (_, index) => index).flatMap((index) => {
    const schemas = schemasOfItem(alternative, index);
    if (schemas.length === 0) return [];
    const length = Math.max(min, index + 1);
    const around = arraysOfLength(alternative, makeAt(context, location), {
      min: length,
      max: Math.min(max, length + 2),
    });
    const put = (values: fc.Arbitrary<unknown>) =>
      whole(
        fc.tuple(around, values, fc.nat({ max: 1_000 })).map(([list, value, any]) => {
          const at = index < tuple ? index : index + (any % (list.length - index));
          return list.with(at, value);
        }),
      );
    return [{ schemas, location: `${location}/${index < tuple ? index : '*'}`, whole: put }];
  });
}

/** Generates the values next to a location. The deeper it is, the smaller they are, as in whole values. */
const makeAt =
  (context: SchemaContext, location: string): MakeValues =>
  (schemas) =>
    valuesOf(context, schemas, location.split('/').length);

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/**
 * Whether a location matches a template, in which `*` stands for any one part.
 * @param orAbove also accepts locations that contain a matching location
 */
export function matchesTemplate(location: string, template: string, orAbove?: 'or above'): boolean {
  const [steps, wanted] = [location.split('/'), template.split('/')];
  if (orAbove ? steps.length > wanted.length : steps.length !== wanted.length) return false;
  return steps.every((step, index) => wanted[index] === '*' || wanted[index] === step);
}

/** Replaces the array indexes in a location with `*`. */
export const generalize = (location: string): string => location.replace(/\/\d+(?=\/|$)/g, '/*');
