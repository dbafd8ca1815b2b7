import { isObject } from '../../../server/lib/json-object.ts';
import { resolvePointer } from '../../lib/json-pointer.ts';
import { isAboutValues } from './about-values.ts';
import type { AffectedLineOf } from './affected-line.ts';
import { isCausedBy } from './attribute-failures.ts';
import type { BreakingFinding, Comparison } from './comparison.ts';
import type { SchemaLocation } from './schema-locations.ts';
import type { LocationSearch } from './search-locations.ts';

/** The evidence for a breaking change. */
export type Evidence =
  | { kind: 'payload'; location: SchemaLocation; value: unknown }
  /** A description of the request, or the part of its response, that stops working. */
  | { kind: 'line'; line: string }
  /** Nothing stops working today, or it cannot be shown; `undecided` if neither a break nor its absence is proven. */
  | { kind: 'none'; reason: string; undecided?: true };

/**
 * Returns the clearest counterexample, or else the request or response that stops working, or else the reason why no
 * evidence exists.
 */
export function findEvidence(
  change: BreakingFinding,
  comparison: Comparison,
  searches: readonly LocationSearch[],
  lineOf: AffectedLineOf,
): Evidence {
  let tried = 0;
  let best: { location: SchemaLocation; value: unknown; length: number } | undefined;
  const names = new Set(comparison.locationsOf(change).map(({ name }) => name));
  for (const { location, before, counterexamples, tried: here } of searches) {
    if (!names.has(location.name) && !names.has(before.name)) continue;
    tried += here;
    for (const { value, rejections } of counterexamples) {
      if (!rejections.some((refusal) => isCausedBy(change, refusal))) continue;
      // Counterexamples with fewer rejections are clearer. Among those, the shortest is preferred.
      const length = rejections.length * 10_000 + JSON.stringify(value).length;
      if (!best || length < best.length) best = { location, value, length };
    }
  }
  if (best) return { kind: 'payload', location: best.location, value: best.value };
  const line = lineOf(change);
  if (typeof line === 'string') return { kind: 'line', line };
  if (line) return { kind: 'none', reason: line.reason };
  return {
    kind: 'none',
    reason: reasonOf(change, comparison, tried),
    ...(isAboutValues(change.rule) ? { undecided: true } : {}),
  };
}

function reasonOf(change: BreakingFinding, { before }: Comparison, tried: number): string {
  if (change.path.includes('/discriminator/mapping/'))
    return 'The values stay the same; their meaning in clients changes.';
  if (change.rule === 'sunset-moved-earlier') return 'Nothing stops working today.';
  if (/property-removed|property-became-write-only/.test(change.rule) && change.base) {
    const [, around = '', name = ''] = /^(.*)\/properties\/([^/]+)/.exec(change.base.pointer) ?? [];
    const schema = resolvePointer(before, around);
    const isRequired = isObject(schema) && Array.isArray(schema.required) && schema.required.includes(name);
    if (!isRequired)
      return 'The property was optional: every new response is valid for the old contract, but none has the property.';
  }
  return tried === 0
    ? 'No value is sent there in both contracts that could show it.'
    : `None of ${tried} generated values shows it.`;
}
