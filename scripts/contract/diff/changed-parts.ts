import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { type JsonSchema, type SchemaObject, schemasIn } from '../../testing/schema-values/schema.ts';
import { someValuesOf } from '../../testing/schema-values/values.ts';
import type { AreSame } from './same-schemas.ts';
import { resolveSide, type SchemaSide } from './schema-side.ts';

/** Keywords that relate the properties of an object, so that all of them are kept. */
const relating = /^(allOf|anyOf|oneOf|not|if|then|else|dependent\w+|m(in|ax)Properties|\$ref)$/;

/** Maximum nesting depth in which properties are left out. */
const maxDepth = 8;

/** Maximum number of schemas in which properties are left out. Of more, the deepest ones stay whole. */
const maxSchemas = 200;

/** Number of values from which the shortest is taken for a property that did not change. */
const maxSamples = 5;

/** The schemas of both sides. */
type Pair = readonly [allowing: JsonSchema, rejecting: JsonSchema];

/** How many schemas may still be changed, and how deep. */
interface Limits {
  depth: number;
  schemas: number;
}

/**
 * Returns the schemas without what is the same in both: optional properties are left out, required ones have one value.
 * Fewer and smaller values then show a difference between the versions.
 */
export function changedParts(allowing: SchemaSide, rejecting: SchemaSide, areSame: AreSame): Pair {
  // Schemas that refer to several others, which lead back, have exponentially many parts.
  for (let depth = maxDepth; ; depth -= 1) {
    const limits = { depth, schemas: maxSchemas };
    const parts = partsWithin(allowing, rejecting, areSame, limits);
    if (limits.schemas > 0 || depth === 0) return parts;
  }
}

function partsWithin(
  allowing: SchemaSide,
  rejecting: SchemaSide,
  areSame: AreSame,
  limits: Limits,
  depth = 0,
): Pair {
  const [mine, theirs] = [resolveSide(allowing), resolveSide(rejecting)];
  const isWhole = depth > limits.depth || limits.schemas <= 0;
  if (!isObject(mine) || !isObject(theirs) || isWhole) return [allowing.schema, rejecting.schema];
  limits.schemas -= 1;
  const inside = (one: JsonSchema, other: JsonSchema): Pair =>
    partsWithin({ ...allowing, schema: one }, { ...rejecting, schema: other }, areSame, limits, depth + 1);
  const changed = propertiesOf(mine, theirs, (one, other) => {
    if (!areSame(one, other)) return inside(one, other);
    const value = shortValueOf({ ...allowing, schema: one });
    return value === undefined ? [one, other] : [{ enum: [value] }, { enum: [value] }];
  });
  const items =
    mine.items === undefined || theirs.items === undefined ? undefined : inside(mine.items, theirs.items);
  const branches = (['allOf', 'anyOf', 'oneOf'] as const).map((word) => ({
    word,
    pairs: branchesOf(word, schemasIn(mine[word]), schemasIn(theirs[word])),
  }));
  const withParts = (schema: SchemaObject, side: 0 | 1): JsonSchema => ({
    ...schema,
    ...(items ? { items: items[side] } : {}),
    ...(changed ? { properties: changed[side] } : {}),
    ...Object.fromEntries(
      branches.flatMap(({ word, pairs }) => (pairs ? [[word, pairs.map((pair) => pair[side])]] : [])),
    ),
  });
  return [withParts(mine, 0), withParts(theirs, 1)];

  /** Returns the branches in pairs. Values of one branch that changed are enough, but those of all schemas of `allOf`. */
  function branchesOf(word: string, own: JsonSchema[], others: JsonSchema[]): Pair[] | undefined {
    if (own.length === 0 || own.length !== others.length) return undefined;
    const pairs = own.flatMap((one, index): Pair[] => {
      const other = others[index] ?? true;
      if (!areSame(one, other)) return [inside(one, other)];
      return word === 'allOf' ? [[one, other]] : [];
    });
    return pairs.length === 0 ? undefined : pairs;
  }

  function propertiesOf(
    one: SchemaObject,
    other: SchemaObject,
    pairOf: (one: JsonSchema, other: JsonSchema) => Pair,
  ): readonly [Record<string, JsonSchema>, Record<string, JsonSchema>] | undefined {
    const isRelated = [one, other].some((each) => Object.keys(each).some((word) => relating.test(word)));
    if (one.properties === undefined || other.properties === undefined || isRelated) return undefined;
    const [own, others] = [{ ...one.properties }, { ...other.properties }];
    for (const [name, property] of Object.entries(one.properties)) {
      const counterpart = ownOf(other.properties, name);
      if (counterpart === undefined) continue;
      const isNeeded = [one, other].some(({ required }) => required?.includes(name));
      if (!isNeeded && areSame(property, counterpart)) {
        delete own[name];
        delete others[name];
      } else [own[name], others[name]] = pairOf(property, counterpart);
    }
    return [own, others];
  }
}

/** Returns a short value of a schema; undefined if none can be generated. */
const shortValueOf = (side: SchemaSide): unknown =>
  someValuesOf(side.context, side.schema, maxSamples).toSorted(
    (one, other) => JSON.stringify(one).length - JSON.stringify(other).length,
  )[0];
