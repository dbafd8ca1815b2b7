import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import {
  canonicalJson,
  type JsonSchema,
  type SchemaObject,
  typeOf,
} from '../../testing/schema-values/schema.ts';
import { branchesOf, resolveSide, type SchemaSide } from './schema-side.ts';

/** Pairs of keywords: a lower limit and the matching upper limit. */
const limits = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Maximum nesting depth to compare. Schemas nested deeper count as overlapping. */
const maxDepth = 8;

/** Whether it is proven that no value is valid in both schemas. False means that there is no proof. */
export function areDisjoint(one: SchemaSide, other: SchemaSide, depth = 0): boolean {
  const [a, b] = [resolveSide(one), resolveSide(other)];
  if (a === false || b === false) return true;
  if (typeof a === 'boolean' || typeof b === 'boolean' || depth > maxDepth) return false;
  const inside = (x: JsonSchema, y: JsonSchema) =>
    areDisjoint({ ...one, schema: x }, { ...other, schema: y }, depth + 1);
  const [mine, theirs] = [typesOf(a), typesOf(b)];
  if (mine && theirs && !mine.some((type) => theirs.includes(type))) return true;
  if (haveNoCommonValue(a, b)) return true;
  if (branchesOf(one.document, a)?.every((branch) => inside(branch, b))) return true;
  if (branchesOf(other.document, b)?.every((branch) => inside(a, branch))) return true;
  // The following keywords apply to values of one type, so both schemas must allow only that type.
  if (mine?.length !== 1 || theirs?.length !== 1) return false;
  if (limits.some(([low, high]) => exceeds(a[low], b[high]) || exceeds(b[low], a[high]))) return true;
  return (
    mine[0] === 'object' && (differInProperty(a, b, inside) || rejectsRequired(a, b) || rejectsRequired(b, a))
  );
}

/** Returns the types that a schema allows, with `integer` as `number`; undefined if it allows every type. */
function typesOf({ type }: SchemaObject): string[] | undefined {
  return type === undefined
    ? undefined
    : [...new Set([type].flat().map((each) => (each === 'integer' ? 'number' : each)))];
}

function haveNoCommonValue(a: SchemaObject, b: SchemaObject): boolean {
  const rejects = (values: readonly unknown[], by: SchemaObject): boolean => {
    const listed = Array.isArray(by.enum) ? new Set(by.enum.map(canonicalJson)) : undefined;
    const types = by.type === undefined ? undefined : [by.type].flat();
    return values.every(
      (value) =>
        listed?.has(canonicalJson(value)) === false ||
        (types !== undefined &&
          !types.includes(typeOf(value)) &&
          !(typeof value === 'number' && types.includes('number'))),
    );
  };
  return (Array.isArray(a.enum) && rejects(a.enum, b)) || (Array.isArray(b.enum) && rejects(b.enum, a));
}

const exceeds = (low: unknown, high: unknown): boolean =>
  typeof low === 'number' && typeof high === 'number' && low > high;

/** Whether a property that one of the schemas requires has no value that both allow. */
function differInProperty(
  a: SchemaObject,
  b: SchemaObject,
  areApart: (one: JsonSchema, other: JsonSchema) => boolean,
): boolean {
  return [...(a.required ?? []), ...(b.required ?? [])].some((name) => {
    const [mine, theirs] = [ownOf(a.properties, name), ownOf(b.properties, name)];
    return mine !== undefined && theirs !== undefined && areApart(mine, theirs);
  });
}

/** Whether one schema forbids a property that the other requires. */
function rejectsRequired(closed: SchemaObject, other: SchemaObject): boolean {
  const isClosed =
    closed.additionalProperties === false ||
    (closed.unevaluatedProperties === false &&
      !['allOf', 'anyOf', 'oneOf', 'if', '$ref', 'dependentSchemas'].some((word) => word in closed));
  return (
    isClosed &&
    !isObject(closed.patternProperties) &&
    (other.required ?? []).some((name) => !Object.hasOwn(closed.properties ?? {}, name))
  );
}
