import fc from 'fast-check';
import { escapePointer } from '../../../server/lib/json-text.ts';
import {
  type Alternative,
  alternativesOf,
  schemasOfItem,
  schemasOfProperty,
  typesOf,
} from './alternatives.ts';
import type { Make } from './arbitrary.ts';
import { countsOf, listsOf, tupleLength } from './arrays.ts';
import { namesOf, objects } from './objects.ts';
import type { Schema } from './schema.ts';
import type { World } from './schema-context.ts';
import { valuesOf } from './values.ts';

/** A place in a value, and one way to fit what its schemas ask for there. */
export interface Site {
  /** JSON Pointer into the value; `*` stands for any item of a list. */
  place: string;
  alternative: Alternative;
  /** Whole values, sound elsewhere, that have at this place what they are given. */
  whole: (values: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>;
}

// Further in, the same schemas come again.
const mostDepth = 8;

// A contract that has more is told so.
const mostSites = 3_000;

/** Every place that values of a schema have, the whole value first; what refers to itself is followed once. */
export function sitesOf(world: World, schema: Schema): Site[] {
  const found: Site[] = [];
  follow(world, { schemas: [schema], place: '', whole: (values) => values }, [], found);
  if (found.length >= mostSites) world.notes.add(`Of a schema ${mostSites} places are tried, and no more.`);
  return found;
}

function follow(
  world: World,
  { schemas, place, whole }: Child,
  within: readonly Schema[],
  found: Site[],
): void {
  const targets = schemas.map((each) => targetOf(world, each));
  const isAgain = targets.some((target) => within.filter((each) => each === target).length > 1);
  if (isAgain || found.length >= mostSites || place.split('/').length > mostDepth) return;
  for (const alternative of alternativesOf(world, schemas)) {
    const site = { place, alternative, whole };
    found.push(site);
    for (const child of childrenOf(world, site)) follow(world, child, [...within, ...targets], found);
  }
}

/** What a schema is when its references are followed: two that refer to the same are the same. */
function targetOf(world: World, schema: Schema): Schema {
  let target = schema;
  for (let steps = 0; typeof target === 'object' && target.$ref !== undefined && steps < 50; steps += 1)
    target = world.resolve(target.$ref);
  return target;
}

interface Child {
  schemas: Schema[];
  place: string;
  whole: Site['whole'];
}

function childrenOf(world: World, site: Site): Child[] {
  const types = typesOf(site.alternative);
  return [
    ...(types.includes('object') ? propertiesOf(world, site) : []),
    ...(types.includes('array') ? itemsOf(world, site) : []),
  ];
}

function propertiesOf(world: World, { place, alternative, whole }: Site): Child[] {
  const around = objects(world, alternative, makeIn(world), { sparing: false });
  if (!around) return [];
  return namesOf(world, alternative).possible.flatMap((name) => {
    const schemas = schemasOfProperty(alternative, name);
    const put = (values: fc.Arbitrary<unknown>) =>
      whole(fc.tuple(around, values).map(([object, value]) => ({ ...asObject(object), [name]: value })));
    return schemas.length === 0 ? [] : [{ schemas, place: `${place}/${escapePointer(name)}`, whole: put }];
  });
}

function itemsOf(world: World, { place, alternative, whole }: Site): Child[] {
  const { min, max } = countsOf(world, alternative);
  const tuple = Math.min(tupleLength(alternative), max);
  // Places of the tuple, and one for all behind it.
  return Array.from({ length: max > tuple ? tuple + 1 : tuple }, (_, index) => index).flatMap((index) => {
    const schemas = schemasOfItem(alternative, index);
    if (schemas.length === 0) return [];
    const length = Math.max(min, index + 1);
    const around = listsOf(alternative, makeIn(world), { min: length, max: Math.min(max, length + 2) });
    const put = (values: fc.Arbitrary<unknown>) =>
      whole(
        fc.tuple(around, values, fc.nat({ max: 1_000 })).map(([list, value, any]) => {
          const at = index < tuple ? index : index + (any % (list.length - index));
          return list.with(at, value);
        }),
      );
    return [{ schemas, place: `${place}/${index < tuple ? index : '*'}`, whole: put }];
  });
}

const makeIn =
  (world: World): Make =>
  (schemas) =>
    valuesOf(world, schemas, 1);

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
