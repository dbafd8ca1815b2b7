import { isObject } from '../../../server/lib/json-object.ts';
import { resolvePointer } from '../../lib/json-pointer.ts';
import { mockUrl } from '../../lib/ports.ts';
import { toCurl } from '../../testing/requests/serialize.ts';
import { isCausedBy } from './attribute-failures.ts';
import { type BreakingFinding, type Comparison, formatValue, isAboutValues } from './comparison.ts';
import type { WireDecision } from './decide-on-wire.ts';
import type { Verdict } from './judge-requests.ts';
import type { TriedRequest } from './request-trials.ts';
import type { SchemaLocation } from './schema-locations.ts';
import type { LocationSearch } from './search-locations.ts';

/** A request that was tried, with the verdicts of both versions. */
export interface SeenRequest {
  /** The request as a curl command, for the address at which the mock listens by default. */
  curl: string;
  base: string;
  revision: string;
}

/** The evidence for a breaking change. */
export type Evidence =
  | { kind: 'payload'; location: SchemaLocation; value: unknown; seen?: SeenRequest }
  | { kind: 'request'; seen: SeenRequest }
  /** A sentence about the parts that were compared, because no message of both versions can show the change. */
  | { kind: 'compared'; sentence: string }
  /** Nothing stops working today, or it cannot be shown; `undecided` if neither a break nor its absence is proven. */
  | { kind: 'none'; reason: string; undecided?: true };

/**
 * Returns the clearest counterexample, or else a request that both versions treat differently, or else what was compared,
 * or the reason why no evidence exists.
 * @param decision what the requests that were tried say about the change
 */
export function findEvidence(
  change: BreakingFinding,
  comparison: Comparison,
  searches: readonly LocationSearch[],
  decision: WireDecision | undefined,
): Evidence {
  let tried = 0;
  let best: { evidence: Evidence; length: number } | undefined;
  const names = new Set(comparison.locationsOf(change).map(({ name }) => name));
  for (const { location, before, counterexamples, tried: here } of searches) {
    if (!names.has(location.name) && !names.has(before.name)) continue;
    tried += here;
    for (const { value, rejections, request } of counterexamples) {
      if (!rejections.some((refusal) => isCausedBy(change, refusal))) continue;
      // Counterexamples with fewer rejections are clearer. Among those, the shortest is preferred.
      const length = rejections.length * 10_000 + JSON.stringify(value).length;
      if (best && length >= best.length) continue;
      const seen = request ? { seen: seenRequest(request) } : {};
      best = { evidence: { kind: 'payload', location, value, ...seen }, length };
    }
  }
  if (best) return best.evidence;
  if (decision && decision !== 'refuted') return { kind: 'request', seen: seenRequest(decision.shown) };
  if (isAboutValues(change.rule))
    return {
      kind: 'none',
      reason:
        tried === 0
          ? 'No value is sent there in both contracts that could show it.'
          : `None of ${tried} generated values shows it.`,
      undecided: true,
    };
  const reason = reasonOf(change, comparison);
  return reason === undefined
    ? { kind: 'compared', sentence: comparedSentence(change) }
    : { kind: 'none', reason };
}

/** Describes a request and its verdicts. */
const seenRequest = ({ wire, base, revision, lost }: TriedRequest): SeenRequest => ({
  curl: toCurl(mockUrl, wire, []),
  base: verdictText(base, []),
  revision: verdictText(revision, lost),
});

function verdictText(verdict: Verdict, lost: readonly string[]): string {
  if (!verdict.isAccepted) return `${verdict.status}: ${verdict.reason}`;
  if (lost.includes('route')) return `accepted as a request of ${verdict.route}`;
  return lost.length === 0 ? 'accepted' : `accepted, but ${lost.join(' and ')} is read differently`;
}

const maxShown = 100;

/** Says what was compared: a part that only one version has, or its values. */
function comparedSentence({ path, property, base, revision }: BreakingFinding): string {
  if (!revision) return `${path} is only in the base.`;
  if (!base) return `${path} is only in the revision.`;
  const [before, after] = [base.value, revision.value].map((value) => {
    const text = formatValue(value);
    return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  });
  const inside = property === undefined || property === 'key' ? '' : ` at ${path}`;
  return `${property ?? path}${inside} is ${before} in the base and ${after} in the revision.`;
}

function reasonOf(change: BreakingFinding, { before }: Comparison): string | undefined {
  if (change.path.includes('/discriminator'))
    return 'The values stay the same; their meaning in clients changes.';
  if (change.rule === 'sunset-moved-earlier') return 'Nothing stops working today.';
  if (change.rule === 'operation-id-changed')
    return 'Requests stay the same; the name of the operation in generated clients changes.';
  if (/property-removed|property-became-write-only/.test(change.rule) && change.base) {
    const [, around = '', name = ''] = /^(.*)\/properties\/([^/]+)/.exec(change.base.pointer) ?? [];
    const schema = resolvePointer(before, around);
    const isRequired = isObject(schema) && Array.isArray(schema.required) && schema.required.includes(name);
    if (!isRequired)
      return 'The property was optional: every new response is valid for the old contract, but none has the property.';
  }
  return undefined;
}
