import { isObject } from '../../../server/lib/json-object.ts';
import { defineOwn, ownOf } from '../../../server/lib/own-property.ts';
import { canonicalJson, type JsonSchema, type SchemaObject } from '../../testing/schema-values/schema.ts';

/** Follows a reference to a schema; undefined if it leads nowhere. */
export type ResolveReference = (reference: string) => JsonSchema | undefined;

/**
 * Merges the members of `allOf` into the schema if that keeps its meaning. An `anyOf` or `oneOf` with one branch, and
 * a reference with siblings, are treated like `allOf`.
 * @param normal returns the normalized schema that a reference points to
 */
export function mergeAllOf(schema: SchemaObject, normal: ResolveReference): JsonSchema {
  const { members, rest } = membersOf(schema);
  const [only] = members;
  if (members.length === 1 && only !== undefined && Object.keys(rest).length === 0) return only;

  let whole = rest;
  const left: JsonSchema[] = [];
  const opened = members.map((member) => ({ member, schema: openedOf(member, normal, []) }));
  // A closed member depends on the properties next to it, so it is merged last, and only if all others were merged.
  for (const { member, schema } of opened.toSorted(
    (a, b) => Number(isClosed(a.schema)) - Number(isClosed(b.schema)),
  )) {
    const joint =
      schema && joinOf(whole, schema, { normal, isOnly: members.length === 1, isLast: left.length === 0 });
    if (joint) whole = joint;
    else left.push(member);
  }
  if (left.length === 0) return whole;
  left.sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  const [last] = left;
  return left.length === 1 && last !== undefined && Object.keys(whole).length === 0
    ? last
    : { ...whole, allOf: left };
}

/** Splits a schema into the subschemas that a value must all satisfy, and its other keywords. */
function membersOf(schema: SchemaObject): { members: JsonSchema[]; rest: SchemaObject } {
  const members: JsonSchema[] = [];
  const rest: SchemaObject = {};
  for (const [word, value] of Object.entries(schema)) {
    const isChoice = (word === 'anyOf' || word === 'oneOf') && schema.discriminator === undefined;
    const single = isChoice && Array.isArray(value) && value.length === 1;
    if (word === '$ref') members.push({ $ref: String(value) });
    else if (Array.isArray(value) && (word === 'allOf' || single)) members.push(...value.flatMap(flattened));
    else defineOwn(rest, word, value);
  }
  return { members: members.filter((member) => !isObject(member) || Object.keys(member).length > 0), rest };
}

function flattened(member: JsonSchema): JsonSchema[] {
  if (!isObject(member)) return [member];
  const { allOf, ...others } = member;
  return Array.isArray(allOf) && Object.keys(others).length === 0 ? allOf.flatMap(flattened) : [member];
}

/**
 * Returns the object schema to merge, with references resolved. Undefined for a boolean schema, and for a reference
 * that is circular, has siblings or leads nowhere.
 */
function openedOf(
  member: JsonSchema,
  normal: ResolveReference,
  within: readonly string[],
): SchemaObject | undefined {
  if (!isObject(member)) return undefined;
  const { $ref, ...others } = member;
  if ($ref === undefined) return member;
  if (Object.keys(others).length > 0 || within.includes($ref)) return undefined;
  const target = normal($ref);
  return target === undefined ? undefined : openedOf(target, normal, [...within, $ref]);
}

// The keywords of a group depend on each other. Two schemas are merged only if at most one of them has such keywords.
const groups = [
  ['items', 'prefixItems', 'unevaluatedItems'],
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
  ['contentEncoding', 'contentMediaType', 'contentSchema'],
];

const closingKeywords = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'];

const isClosed = (schema: SchemaObject | undefined): boolean =>
  schema !== undefined && closingKeywords.some((word) => word in schema);

interface Merge {
  normal: ResolveReference;
  /** Whether the member is the only one. */
  isOnly: boolean;
  /** Whether all other members were merged before. */
  isLast: boolean;
}

/** Lower limits get stricter as their value rises, upper limits as it falls. The limits of one thing have the same index. */
export const lowerLimits = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'];
export const upperLimits = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'];

/** If both schemas have the limit, the stricter one applies. */
const stricter: Readonly<Record<string, (a: number, b: number) => number>> = Object.fromEntries([
  ...lowerLimits.map((word) => [word, Math.max]),
  ...upperLimits.map((word) => [word, Math.min]),
]);

/** Merges two schemas; undefined if the merged schema would have another meaning. */
function joinOf(whole: SchemaObject, member: SchemaObject, merge: Merge): SchemaObject | undefined {
  if (!canMeet(whole, member, merge)) return undefined;
  const joint: SchemaObject = { ...whole };
  for (const [word, value] of Object.entries(member)) {
    const before = ownOf(joint, word);
    const limit = ownOf(stricter, word);
    if (before === undefined) defineOwn(joint, word, value);
    else if (canonicalJson(before) === canonicalJson(value)) continue;
    else if (word === 'required' && Array.isArray(before) && Array.isArray(value))
      joint.required = [...new Set([...before, ...value])].sort();
    else if (word === 'properties' && isObject(before) && isObject(value))
      joint.properties = joinProperties(before, value, merge.normal);
    else if (word === 'enum' && Array.isArray(before) && Array.isArray(value)) {
      const allowed = new Set(value.map(canonicalJson));
      joint.enum = before.filter((one) => allowed.has(canonicalJson(one)));
    } else if (limit && typeof before === 'number' && typeof value === 'number')
      joint[word] = limit(before, value);
    else return undefined;
  }
  return joint;
}

/** Merges the properties of two schemas. A property of both must satisfy both. */
function joinProperties(
  one: Record<string, unknown>,
  other: Record<string, unknown>,
  normal: ResolveReference,
): Record<string, JsonSchema> {
  const joint = { ...one, ...other } as Record<string, JsonSchema>;
  for (const [name, value] of Object.entries(one) as [string, JsonSchema][])
    if (Object.hasOwn(other, name) && canonicalJson(value) !== canonicalJson(other[name]))
      defineOwn(joint, name, mergeAllOf({ allOf: [value, other[name] as JsonSchema] }, normal));
  return joint;
}

function canMeet(whole: SchemaObject, member: SchemaObject, { isOnly, isLast }: Merge): boolean {
  const has = (schema: SchemaObject, words: readonly string[]) => words.some((word) => word in schema);
  if (groups.some((group) => has(whole, group) && has(member, group))) return false;
  const names = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];
  // `additionalProperties` depends on the `properties` next to it, so merging could change its meaning. Properties that
  // the member has too do not.
  if (isClosed(member)) {
    const own = isObject(member.properties) ? member.properties : {};
    const adds =
      isObject(whole.properties) && Object.keys(whole.properties).some((name) => !Object.hasOwn(own, name));
    const others = names.filter((name) => name !== 'properties');
    return (
      (isOnly || (isLast && !('unevaluatedItems' in member))) &&
      !adds &&
      !has(whole, [...others, 'unevaluatedItems', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'])
    );
  }
  return !('additionalProperties' in whole && has(member, names));
}
