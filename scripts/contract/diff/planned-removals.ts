import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { dereference, resolvePointer } from '../../lib/json-pointer.ts';
import { httpMethods } from '../../lib/openapi-document.ts';
import type { BreakingFinding, Comparison } from './comparison.ts';

/** The removal of a deprecated part: `due` from its sunset date on, `early` before. */
export interface PlannedRemoval {
  state: 'due' | 'early';
  /** The value of `x-sunset`, such as `2027-01-01`. */
  sunset: string;
}

/**
 * Returns the announced sunset date of a removal, and whether the removal is due. Undefined for other changes, and for
 * removals that were not announced.
 * @param today the current date, such as `2026-11-22`
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

/** Returns the old schemas of the properties that `required` no longer lists. */
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

/** Returns the sunset date of a node. For a list, a path item or a map it is the latest date of the members. */
function sunsetOf(document: object, given: unknown): string | undefined {
  const node = dereference(document, given);
  if (Array.isArray(node)) return lastOf(node.map((each) => sunsetOf(document, each)));
  if (!isObject(node)) return undefined;
  if (node.deprecated === true) return typeof node['x-sunset'] === 'string' ? node['x-sunset'] : undefined;
  const operations = httpMethods.flatMap((method) => (isObject(node[method]) ? [node[method]] : []));
  // Whether the node is a map of properties, headers or webhooks.
  const isMap = Object.values(node).every(
    (each) =>
      isObject(each) &&
      (each.deprecated === true || '$ref' in each || httpMethods.some((method) => method in each)),
  );
  const inside = operations.length > 0 ? operations : isMap ? Object.values(node) : [];
  return lastOf(inside.map((each) => sunsetOf(document, each)));
}

/** Returns the latest date; undefined if one is missing. */
const lastOf = (days: (string | undefined)[]): string | undefined =>
  days.length > 0 && days.every((day) => day !== undefined) ? days.sort().at(-1) : undefined;
