import { pointerTokens } from '../../lib/json-pointer.ts';
import type { BreakingFinding, Comparison } from './comparison.ts';
import type { Rejection } from './counterexample.ts';
import { isWithin } from './schema-locations.ts';
import { otherBound } from './schema-side.ts';
import type { LocationSearch } from './search-locations.ts';

/** Whether a change causes the rejection of a value. */
export function isCausedBy(
  { rule, property, base, revision }: BreakingFinding,
  { keyword, property: named }: Rejection,
): boolean {
  return [base, revision].some((location) => {
    if (!location) return false;
    const { pointer } = location;
    if (/^property-(of-parameter-)?(removed|became)/.test(rule))
      return isRejectedProperty(pointer, { keyword, property: named });
    // In the version that lacks an added or removed keyword, the pointer leads only to its schema.
    const last = pointer.slice(pointer.lastIndexOf('/') + 1);
    if (property === undefined || property === 'key')
      return isWithin(keyword, pointer) || isWithin(pointer, keyword);
    if (last !== property) return false;
    const other = otherBound(property);
    return (
      isWithin(keyword, pointer) ||
      (other !== undefined && keyword === pointer.slice(0, -last.length) + other)
    );
  });
}

/** Whether the property at a pointer was rejected by its own schema, or by the schema that contains it. */
function isRejectedProperty(pointer: string, { keyword, property }: Rejection): boolean {
  const [, around, name = ''] = /^(.*)\/properties\/([^/]+)/.exec(pointer) ?? [];
  if (around === undefined) return false;
  const own = `${around}/properties/${name}`;
  return isWithin(keyword, own) || (isWithin(keyword, around) && property === pointerTokens(`/${name}`)[0]);
}

/** Returns a finding for each location whose schemas differ, if neither a break nor compatibility is proven. */
export function findUndecidedLocations(
  reported: readonly BreakingFinding[],
  searches: readonly LocationSearch[],
  locationsOf: Comparison['locationsOf'],
): BreakingFinding[] {
  const decided = new Set(reported.flatMap((each) => locationsOf(each).map(({ name }) => name)));
  return searches
    .filter(
      ({ location, before, counterexamples }) =>
        counterexamples.length === 0 && ![location, before].some(({ name }) => decided.has(name)),
    )
    .map(({ location: { path, pointer }, before }) => ({
      rule: 'schema-changed',
      message: 'The schemas differ.',
      path,
      base: { pointer: before.pointer },
      revision: { pointer },
    }));
}

/** Returns a finding for each keyword that rejects a counterexample, if no reported change explains the rejection. */
export function findUnreportedBreaks(
  reported: readonly BreakingFinding[],
  searches: readonly LocationSearch[],
): BreakingFinding[] {
  const found = new Map<string, BreakingFinding>();
  for (const { location, before, counterexamples } of searches)
    for (const { rejections, request } of counterexamples) {
      const [first] = rejections;
      const isReported = rejections.some((refusal) => reported.some((each) => isCausedBy(each, refusal)));
      if (first === undefined || isReported || found.has(first.keyword)) continue;
      const word = pointerTokens(first.keyword).at(-1);
      const of = first.property === undefined ? '' : ` of ${first.property}`;
      const sent = location.direction === 'requests';
      const reason = request?.revision.isAccepted === false ? `: ${request.revision.reason}` : '';
      found.set(first.keyword, {
        rule: sent ? 'request-narrowed' : 'response-widened',
        message: sent
          ? `Values that were valid are rejected by ${word}${of}${reason}.`
          : `Values can occur that ${word}${of} did not allow.`,
        path: sent ? location.path : before.path,
        [sent ? 'revision' : 'base']: { pointer: first.keyword },
      });
    }
  return [...found.values()];
}
