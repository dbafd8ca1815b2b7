import { methods } from '../generate/document.ts';
import { valueAt } from '../instances/pointer.ts';
import { isObject } from '../instances/schema.ts';
import type { Breaking } from './comparison.ts';

/** Something goes that was marked `deprecated`: at its time, or before it. */
export interface Departure {
  state: 'due' | 'early';
  /** `x-sunset`: `2027-01-01`. */
  sunset: string;
}

/** Rules that say that something is gone. */
const gone = /-removed$/;

/**
 * Whether what is gone was said to go, and by when.
 * @param before the old contract, in its normal form
 * @param today as `2026-11-22`
 */
export function departureOf({ rule, base }: Breaking, before: object, today: string): Departure | undefined {
  if (!gone.test(rule) || !base) return undefined;
  const sunset = sunsetOf(before, valueAt(before, base.pointer));
  if (sunset === undefined) return undefined;
  return { state: sunset <= today ? 'due' : 'early', sunset };
}

/** When something goes, by its own word; a path goes when the last of its operations does. */
function sunsetOf(document: object, given: unknown): string | undefined {
  let node = given;
  for (let steps = 0; isObject(node) && typeof node.$ref === 'string' && steps < 50; steps += 1)
    node = valueAt(document, node.$ref.slice(1));
  if (!isObject(node)) return undefined;
  if (node.deprecated === true) return typeof node['x-sunset'] === 'string' ? node['x-sunset'] : undefined;
  const item = node;
  const dates = methods.flatMap((method) =>
    isObject(item[method]) ? [sunsetOf(document, item[method])] : [],
  );
  return dates.length > 0 && dates.every((date) => date !== undefined) ? dates.sort().at(-1) : undefined;
}
