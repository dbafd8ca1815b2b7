import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import {
  canonicalJson,
  type JsonSchema,
  type SchemaObject,
  schemasIn,
} from '../../testing/schema-values/schema.ts';
import { someValuesOf } from '../../testing/schema-values/values.ts';
import type { AreSame } from './same-schemas.ts';
import { resolveSide, type SchemaSide } from './schema-side.ts';
import type { WorkBudget } from './work-budget.ts';

/** Keywords that relate the properties of an object, so that all of them are kept. */
const relating = /^(allOf|anyOf|oneOf|not|if|then|else|dependent\w+|m(in|ax)Properties|\$ref)$/;

/** Maximum depth of the changes. */
const maxDepth = 20;

/** Maximum number of schemas that lead to changes, the shallow ones first. */
const maxSchemas = 200;

/** Number of values from which the shortest is taken for a part that did not change. */
const maxSamples = 5;

/** The schemas of both sides. */
type Pair = readonly [allowing: JsonSchema, rejecting: JsonSchema];

/** A part of a schema that is not the same in both. */
interface ChangedPart {
  word: 'properties' | 'items' | 'allOf' | 'anyOf' | 'oneOf';
  /** The name of the property or the index of the branch. */
  key: string | number;
  pair: Pair;
}

/** A schema that is not the same in both. */
interface ChangedSchema {
  one: SchemaObject;
  other: SchemaObject;
  depth: number;
  /** The schema around it, through which it is reached first. */
  around: ChangedSchema | undefined;
  /** The parts that are reached first through this schema. */
  inside: Map<string, ChangedSchema | Pair>;
  /** Whether it differs by itself, or leads to one that does. */
  isKept: boolean;
}

/**
 * Returns the schemas without what is the same in both: optional properties are left out, required ones have one value.
 * Each changed schema occurs once, at the shallowest place, because schemas often refer to each other in cycles. Fewer and
 * smaller values then show a difference between the versions.
 * @param budget of the context of `allowing`
 */
export function changedParts(
  allowing: SchemaSide,
  rejecting: SchemaSide,
  areSame: AreSame,
  budget: WorkBudget,
): Pair {
  const resolvedPair = ([one, other]: Pair): Pair => [
    resolveSide({ ...allowing, schema: one }),
    resolveSide({ ...rejecting, schema: other }),
  ];
  const whole: Pair = [allowing.schema, rejecting.schema];
  const known = new Set<string>();
  const schemaOf = (pair: Pair, around?: ChangedSchema): ChangedSchema | Pair | undefined => {
    const [one, other] = resolvedPair(pair);
    if (!isObject(one) || !isObject(other)) return pair;
    const name = canonicalJson([one, other]);
    if (known.has(name)) return undefined;
    known.add(name);
    return { one, other, depth: (around?.depth ?? -1) + 1, around, inside: new Map(), isKept: false };
  };
  const root = schemaOf(whole);
  if (root === undefined || isPair(root)) return whole;
  const queue = [root];
  let kept = 0;
  // The loop adds the schemas inside each one.
  for (const schema of queue) {
    let isChanged = differsByItself(schema, areSame);
    for (const { word, key, pair } of changedPartsOf(schema, areSame)) {
      const inner = schemaOf(pair, schema);
      if (inner === undefined) continue;
      schema.inside.set(placeOf(word, key), inner);
      if (isPair(inner)) isChanged = true;
      else if (inner.depth <= maxDepth) queue.push(inner);
    }
    for (let at = isChanged ? schema : undefined; at && !at.isKept; at = at.around) {
      at.isKept = true;
      kept += 1;
    }
    if (kept >= maxSchemas) break;
  }
  budget.renew();
  return root.isKept ? partsOf(root) : whole;

  function partsOf(schema: ChangedSchema): Pair {
    const { one, other } = schema;
    /** Returns what is left of a part; undefined if it does not lead to a change, or also occurs elsewhere. */
    const leftOf = (word: ChangedPart['word'], key: string | number): Pair | undefined => {
      const inner = schema.inside.get(placeOf(word, key));
      return inner === undefined || isPair(inner) ? inner : inner.isKept ? partsOf(inner) : undefined;
    };
    const [mine, theirs] = [{ ...one }, { ...other }];
    // Of hundreds of values or branches, random ones rarely are those that only one version has.
    const values = withoutThose(one.enum, other.enum);
    if (values.length > 0) mine.enum = values;
    for (const word of ['anyOf', 'oneOf'] as const) {
      const isChanged = (branch: JsonSchema) => !areSame(branch, branch);
      const own = isPaired(word, one, other) ? [] : withoutThose(one[word], other[word], isChanged);
      if (own.length > 0) mine[word] = own;
    }
    if (isPaired('items', one, other)) {
      const pair: Pair = [one.items ?? true, other.items ?? true];
      [mine.items, theirs.items] = leftOf('items', '') ?? withOneValue(pair);
    }
    for (const word of branching) {
      if (!isPaired(word, one, other)) continue;
      // Values of one branch that changed are enough, but those of all schemas of `allOf`.
      const pairs = branchesOf(word, one, other).flatMap((pair, index) => {
        const left = leftOf(word, index);
        return left ? [left] : word === 'allOf' ? [pair] : [];
      });
      if (pairs.length > 0)
        [mine[word], theirs[word]] = [pairs.map(([own]) => own), pairs.map(([, others]) => others)];
    }
    if (isPaired('properties', one, other)) {
      const isRelated = [one, other].some((each) => Object.keys(each).some((word) => relating.test(word)));
      const [own, others] = [{ ...one.properties }, { ...other.properties }];
      for (const [name, pair] of sharedProperties(one, other)) {
        const left = leftOf('properties', name);
        const isNeeded = [one, other].some(({ required }) => required?.includes(name));
        if (left || isRelated) [own[name], others[name]] = left ?? pair;
        else if (isNeeded) [own[name], others[name]] = withOneValue(pair);
        else {
          delete own[name];
          delete others[name];
        }
      }
      [mine.properties, theirs.properties] = [own, others];
    }
    return [mine, theirs];
  }

  /** Replaces schemas by a short value that both allow, if one can be generated. */
  function withOneValue([one, other]: Pair): Pair {
    const values = budget.find(() => someValuesOf(allowing.context, one, maxSamples)) ?? [];
    const [value] = values
      .filter((each) => rejecting.context.isValid(other, each))
      .toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
    return value === undefined ? [one, other] : [{ enum: [value] }, { enum: [value] }];
  }
}

const isPair = (found: ChangedSchema | Pair): found is Pair => Array.isArray(found);

const placeOf = (word: string, key: string | number): string => `${word} ${key}`;

const branching = ['allOf', 'anyOf', 'oneOf'] as const;

/** Whether the parts of a keyword are compared one by one. */
function isPaired(word: string, one: SchemaObject, other: SchemaObject): boolean {
  if (word === 'items' || word === 'properties') return one[word] !== undefined && other[word] !== undefined;
  const [own, others] = [schemasIn(one[word]), schemasIn(other[word])];
  return branching.some((each) => each === word) && own.length > 0 && own.length === others.length;
}

/** Returns the members of a list that another list does not have, and those whose references lead to changes. */
function withoutThose<T>(
  list: readonly T[] = [],
  others: readonly T[] = [],
  isChanged: (member: T) => boolean = () => false,
): T[] {
  const known = new Set(others.map(canonicalJson));
  return list.filter((each) => !known.has(canonicalJson(each)) || isChanged(each));
}

const branchesOf = (word: (typeof branching)[number], one: SchemaObject, other: SchemaObject): Pair[] =>
  schemasIn(one[word]).map((own, index): Pair => [own, schemasIn(other[word])[index] ?? true]);

const sharedProperties = (one: SchemaObject, other: SchemaObject): [name: string, pair: Pair][] =>
  Object.entries(one.properties ?? {}).flatMap(([name, own]): [string, Pair][] => {
    const counterpart = ownOf(other.properties, name);
    return counterpart === undefined ? [] : [[name, [own, counterpart]]];
  });

/** Returns the paired parts that are not the same. */
function changedPartsOf({ one, other }: ChangedSchema, areSame: AreSame): ChangedPart[] {
  const parts = [
    ...(isPaired('properties', one, other)
      ? sharedProperties(one, other).map(([key, pair]): ChangedPart => ({ word: 'properties', key, pair }))
      : []),
    ...(isPaired('items', one, other)
      ? [{ word: 'items', key: '', pair: [one.items ?? true, other.items ?? true] } as const]
      : []),
    ...branching
      .filter((word) => isPaired(word, one, other))
      .flatMap((word) => branchesOf(word, one, other).map((pair, key): ChangedPart => ({ word, key, pair }))),
  ];
  return parts.filter(({ pair: [own, others] }) => !areSame(own, others));
}

/** Whether schemas differ in more than the parts that are compared one by one. */
function differsByItself({ one, other }: ChangedSchema, areSame: AreSame): boolean {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].some((word) => {
    if (!isPaired(word, one, other)) return !areSame({ [word]: one[word] }, { [word]: other[word] });
    const [names, others] = [one.properties, other.properties].map((all) => Object.keys(all ?? {}).sort());
    return word === 'properties' && canonicalJson(names) !== canonicalJson(others);
  });
}
