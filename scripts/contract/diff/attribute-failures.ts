import { stepsOf } from '../../testing/schema-values/json-pointer.ts';
import type { Breaking } from './comparison.ts';
import type { Refusal } from './counterexample.ts';
import { isWithin } from './schema-locations.ts';
import type { Found } from './search-locations.ts';

/** Two words for one bound each. */
const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
];

/** Whether what refuses a value is what has changed. */
export function explains(
  { rule, property, base, revision }: Breaking,
  { keyword, property: named }: Refusal,
): boolean {
  return [base, revision].some((place) => {
    if (!place) return false;
    const { pointer } = place;
    if (/^property-(removed|became)/.test(rule)) return isMissed(pointer, { keyword, property: named });
    // Where a keyword has come or gone, one of the places is that of the schema around it.
    const last = pointer.slice(pointer.lastIndexOf('/') + 1);
    if (property === undefined || property === 'key')
      return isWithin(keyword, pointer) || isWithin(pointer, keyword);
    if (last !== property) return false;
    const other = bounds.find((pair) => pair.includes(property))?.find((word) => word !== property);
    return (
      isWithin(keyword, pointer) ||
      (other !== undefined && keyword === pointer.slice(0, -last.length) + other)
    );
  });
}

/** A property that is gone is missed, or refused, by the schema around it, or refused at its own place. */
function isMissed(pointer: string, { keyword, property }: Refusal): boolean {
  const [, around, name = ''] = /^(.*)\/properties\/([^/]+)/.exec(pointer) ?? [];
  if (around === undefined) return false;
  const own = `${around}/properties/${name}`;
  return isWithin(keyword, own) || (isWithin(keyword, around) && property === stepsOf(`/${name}`)[0]);
}

/** What a value shows to break and nobody has said: one for each keyword that refuses it. */
export function unexplained(told: readonly Breaking[], searches: readonly Found[]): Breaking[] {
  const found = new Map<string, Breaking>();
  for (const { site, before, witnesses } of searches)
    for (const { refusals } of witnesses) {
      const [first] = refusals;
      const isTold = refusals.some((refusal) => told.some((each) => explains(each, refusal)));
      if (first === undefined || isTold || found.has(first.keyword)) continue;
      const word = stepsOf(first.keyword).at(-1);
      const of = first.property === undefined ? '' : ` of ${first.property}`;
      const sent = site.direction === 'requests';
      found.set(first.keyword, {
        rule: sent ? 'request-narrowed' : 'answer-widened',
        message: sent
          ? `Values that could be sent are refused by ${word}${of}.`
          : `Values may come that ${word}${of} did not allow.`,
        path: sent ? site.path : before.path,
        [sent ? 'revision' : 'base']: { pointer: first.keyword },
      });
    }
  return [...found.values()];
}
