import { ownOf } from '../../../server/lib/own-property.ts';
import type { JsonSchema, SchemaObject } from '../../testing/schema-values/schema.ts';
import { lowerLimits, upperLimits } from './normalize-all-of.ts';
import { branchesOf, isClosed, mayApply, resolveSide, type SchemaSide } from './schema-side.ts';

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
  if (a.enum?.every((value) => !other.context.isValid(b, value))) return true;
  if (b.enum?.every((value) => !one.context.isValid(a, value))) return true;
  if (branchesOf(one.context, a)?.every((branch) => inside(branch, b))) return true;
  if (branchesOf(other.context, b)?.every((branch) => inside(a, branch))) return true;
  // The following keywords apply to values of one type, so both schemas must have only that type in common.
  const [type, ...others] = (mine ?? theirs ?? []).filter((each) => theirs?.includes(each) ?? true);
  if (type === undefined || others.length > 0) return false;
  const exceed = (low: string, high = '') => exceeds(a[low], b[high]) || exceeds(b[low], a[high]);
  if (lowerLimits.some((low, at) => mayApply(low, { type }) && exceed(low, upperLimits[at]))) return true;
  return (
    type === 'object' && (differInProperty(a, b, inside) || rejectsRequired(a, b) || rejectsRequired(b, a))
  );
}

/** Returns the types that a schema allows, with `integer` as `number`; undefined if it allows every type. */
function typesOf({ type }: SchemaObject): string[] | undefined {
  return type === undefined
    ? undefined
    : [...new Set([type].flat().map((each) => (each === 'integer' ? 'number' : each)))];
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
const rejectsRequired = (closed: SchemaObject, other: SchemaObject): boolean =>
  isClosed(closed) && (other.required ?? []).some((name) => !Object.hasOwn(closed.properties ?? {}, name));
