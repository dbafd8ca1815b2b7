import { escapePointer } from '../../../server/lib/json-text.ts';
import { httpMethods } from '../../lib/openapi-document.ts';
import { dereference, resolvePointer } from '../../testing/schema-values/json-pointer.ts';
import { isObject } from '../../testing/schema-values/schema.ts';
import type { BreakingFinding, Comparison } from './comparison.ts';

/** Something goes that was marked `deprecated`: at its time, or before it. */
export interface PlannedRemoval {
  state: 'due' | 'early';
  /** `x-sunset`: `2027-01-01`. */
  sunset: string;
}

/**
 * Whether what is gone was said to go, and by when.
 * @param today as `2026-11-22`
 */
export function plannedRemovalOf(
  { rule, base, revision }: BreakingFinding,
  { before }: Comparison,
  today: string,
): PlannedRemoval | undefined {
  if (!/-removed$/.test(rule) || !base) return undefined;
  const sunset =
    rule === 'required-properties-removed'
      ? lastOf(lostProperties(before, base, revision).map((schema) => sunsetOf(before, schema)))
      : sunsetOf(before, resolvePointer(before, base.pointer));
  if (sunset === undefined) return undefined;
  return { state: sunset <= today ? 'due' : 'early', sunset };
}

/** The schemas of properties that are not certain any more. */
function lostProperties(
  before: object,
  base: { pointer: string; value?: unknown },
  revision: BreakingFinding['revision'],
): unknown[] {
  const [old, next] = [base.value, revision?.value].map((value) =>
    Array.isArray(value) ? value.map(String) : [],
  );
  const around = base.pointer.replace(/\/required$/, '');
  return (old ?? [])
    .filter((name) => !next?.includes(name))
    .map((name) => resolvePointer(before, `${around}/properties/${escapePointer(name)}`));
}

/** When something goes, by its own word; what holds several things goes when the last of them does. */
function sunsetOf(document: object, given: unknown): string | undefined {
  const node = dereference(document, given);
  if (Array.isArray(node)) return lastOf(node.map((each) => sunsetOf(document, each)));
  if (!isObject(node)) return undefined;
  if (node.deprecated === true) return typeof node['x-sunset'] === 'string' ? node['x-sunset'] : undefined;
  const operations = httpMethods.flatMap((method) => (isObject(node[method]) ? [node[method]] : []));
  // A map of properties or headers holds nothing but these.
  const isMap = Object.values(node).every(
    (each) => isObject(each) && (each.deprecated === true || '$ref' in each),
  );
  const inside = operations.length > 0 ? operations : isMap ? Object.values(node) : [];
  return lastOf(inside.map((each) => sunsetOf(document, each)));
}

/** The latest day, where each has one. */
const lastOf = (days: (string | undefined)[]): string | undefined =>
  days.length > 0 && days.every((day) => day !== undefined) ? days.sort().at(-1) : undefined;
