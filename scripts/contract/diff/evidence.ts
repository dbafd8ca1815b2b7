import { valueAt } from '../../testing/schema-values/json-pointer.ts';
import { isObject } from '../../testing/schema-values/schema.ts';
import type { LineOf } from './affected-line.ts';
import { explains } from './attribute-failures.ts';
import type { Breaking, Comparison } from './comparison.ts';
import type { Site } from './schema-locations.ts';
import type { Found } from './search-locations.ts';

/** What shows that a change breaks somebody. */
export type Proof =
  | { kind: 'payload'; site: Site; value: unknown }
  /** What stops working: the line of a request, a header. */
  | { kind: 'line'; line: string }
  | { kind: 'none'; reason: string };

/** The shortest value that shows it; else the line that stops working; else why there is neither. */
export function proofOf(
  change: Breaking,
  comparison: Comparison,
  searches: readonly Found[],
  lineOf: LineOf,
): Proof {
  let tried = 0;
  let best: { site: Site; value: unknown; length: number } | undefined;
  const names = new Set(comparison.sitesOf(change).map(({ name }) => name));
  for (const { site, before, witnesses, tried: here } of searches) {
    if (!names.has(site.name) && !names.has(before.name)) continue;
    tried += here;
    for (const { value, refusals } of witnesses) {
      if (!refusals.some((refusal) => explains(change, refusal))) continue;
      // What is refused for this reason alone shows it best.
      const length = refusals.length * 10_000 + JSON.stringify(value).length;
      if (!best || length < best.length) best = { site, value, length };
    }
  }
  if (best) return { kind: 'payload', site: best.site, value: best.value };
  const line = lineOf(change);
  if (typeof line === 'string') return { kind: 'line', line };
  return { kind: 'none', reason: line?.reason ?? reasonOf(change, comparison, tried) };
}

function reasonOf(change: Breaking, { before }: Comparison, tried: number): string {
  if (change.path.includes('/discriminator/mapping/'))
    return 'The values stay as they are; what programs take them for does not.';
  if (change.rule === 'sunset-moved-earlier') return 'Nothing stops working today.';
  if (/property-removed|property-became-write-only/.test(change.rule) && change.base) {
    const [, around = '', name = ''] = /^(.*)\/properties\/([^/]+)/.exec(change.base.pointer) ?? [];
    const schema = valueAt(before, around);
    const isRequired = isObject(schema) && Array.isArray(schema.required) && schema.required.includes(name);
    if (!isRequired)
      return 'The property was optional: every answer of the new contract fits the old one, but none has it any more.';
  }
  return tried === 0
    ? 'No value that could show it travels there in both contracts.'
    : `None of ${tried} values that were tried shows it.`;
}
