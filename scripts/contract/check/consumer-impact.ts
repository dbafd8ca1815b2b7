import type { BreakingChange } from '../diff/contract-diff.ts';
import { judgeConsumer } from '../uses/affected-consumers.ts';
import type { Place } from '../uses/manifest.ts';
import type { KnownConsumer } from '../uses/read-consumers.ts';

/**
 * The verdicts, worst first. `does not compile`: the compiler rejects the consumer's sources with the new types. `may
 * break`: it uses what has changed, or its manifest cannot tell. `not affected`: as far as its manifest shows.
 */
const verdicts = ['does not compile', 'may break', 'not affected'] as const;

/** The effect of a breaking change on a known consumer. */
export interface ConsumerImpact {
  consumer: string;
  verdict: (typeof verdicts)[number];
  places: Place[];
  /** Where a deployed receiver validates events: it rejects changed events until it is built again. */
  deployed?: Place[];
}

/** A consumer, with the errors of the compiler at places where it uses none of the breaking changes. */
export interface JudgedConsumer extends KnownConsumer {
  unexplained: readonly Place[];
}

/** Finds the errors of each consumer that no breaking change explains. */
export const judgeAll = (
  changes: readonly BreakingChange[],
  consumers: readonly KnownConsumer[],
): JudgedConsumer[] =>
  consumers.map((consumer) => {
    const { manifest, compileErrors } = consumer;
    const isBroken = compileErrors.length > 0;
    const explained = new Set(
      isBroken ? changes.flatMap((each) => judgeConsumer(each, manifest).places) : [],
    );
    return { ...consumer, unexplained: compileErrors.filter((place) => !explained.has(place)) };
  });

/** Decides what a breaking change does to each known consumer. It may be the cause of errors that none explains. */
export function impactsOf(change: BreakingChange, consumers: readonly JudgedConsumer[]): ConsumerImpact[] {
  return consumers.map(({ manifest, compileErrors, unexplained }) => {
    const { mayBreak, places, deployed } = judgeConsumer(change, manifest);
    const broken = places.filter((place) => compileErrors.includes(place));
    const isAffected = mayBreak || unexplained.length > 0;
    return {
      consumer: manifest.consumer,
      verdict: broken.length > 0 ? 'does not compile' : isAffected ? 'may break' : 'not affected',
      places: broken.length > 0 ? broken : [...new Set([...places, ...unexplained])],
      ...(deployed ? { deployed } : {}),
    };
  });
}

/** Merges the impacts of a change that has several findings. The worst verdict counts. */
export function mergeImpacts(all: readonly ConsumerImpact[]): ConsumerImpact[] {
  const byConsumer = new Map<string, ConsumerImpact>();
  for (const impact of all) {
    const known = byConsumer.get(impact.consumer) ?? { ...impact, places: [] };
    const verdict = verdicts.find((each) => each === known.verdict || each === impact.verdict) ?? 'may break';
    const places = [...new Set([...known.places, ...impact.places])];
    byConsumer.set(impact.consumer, { ...known, ...impact, verdict, places });
  }
  return [...byConsumer.values()];
}
