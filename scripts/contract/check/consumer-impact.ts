import type { BreakingChange } from '../diff/contract-diff.ts';
import { judgeConsumer } from '../uses/affected-consumers.ts';
import type { Place } from '../uses/manifest.ts';
import type { KnownConsumer } from '../uses/read-consumers.ts';
import type { Finding } from './check.ts';

/** What a breaking change does to a known consumer. */
export interface ConsumerImpact {
  consumer: string;
  /**
   * `does not compile`: the compiler rejects its sources with the new types. `may break`: it uses what has changed, or
   * its manifest cannot tell. `not affected`: as far as its manifest shows.
   */
  verdict: 'does not compile' | 'may break' | 'not affected';
  places: Place[];
  /** Where a deployed receiver validates events: it rejects changed events until it is built again. */
  deployed?: Place[];
}

/** A consumer, with the places of its sources that do not compile with the types of the new contract. */
export interface CompiledConsumer extends KnownConsumer {
  compileErrors: readonly Place[];
}

/** Decides what a breaking change does to each known consumer. */
export function impactsOf(change: BreakingChange, consumers: readonly CompiledConsumer[]): ConsumerImpact[] {
  return consumers.map(({ manifest, compileErrors }) => {
    const { mayBreak, places, deployed } = judgeConsumer(change, manifest);
    const broken = places.filter((place) => compileErrors.includes(place));
    const verdict = broken.length > 0 ? 'does not compile' : mayBreak ? 'may break' : 'not affected';
    return {
      consumer: manifest.consumer,
      verdict,
      places: broken.length > 0 ? broken : places,
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

const verdicts = ['does not compile', 'may break', 'not affected'] as const;

const maxPlaces = 4;

/** Formats the impacts of one change: one line for each verdict. */
export function impactLines(impacts: readonly ConsumerImpact[]): string[] {
  if (impacts.length === 0) return [];
  const lines = (['does not compile', 'may break'] as const).flatMap((verdict) => {
    const those = impacts.filter((impact) => impact.verdict === verdict);
    return those.length > 0 ? [`${verdict}: ${those.map(withPlaces).join('; ')}`] : [];
  });
  const deployed = impacts.filter((impact) => impact.deployed);
  if (deployed.length > 0)
    lines.push(
      `rejects these events until it is built again: ${deployed.map(({ consumer, deployed: places = [] }) => withPlaces({ consumer, places })).join('; ')}`,
    );
  const cleared = impacts.filter(({ verdict }) => verdict === 'not affected').length;
  lines.push(
    lines.length === 0
      ? `no known consumer is affected, as far as ${impacts.length === 1 ? 'its manifest shows' : `${impacts.length} manifests show`}`
      : `not affected, as far as their manifests show: ${cleared} of ${impacts.length} known consumers`,
  );
  return lines;
}

function withPlaces({ consumer, places }: Pick<ConsumerImpact, 'consumer' | 'places'>): string {
  if (places.length === 0) return `${consumer} (what the change concerns is not known)`;
  const more = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : '';
  return `${consumer} at ${places.slice(0, maxPlaces).join(', ')}${more}`;
}

const dayMs = 86_400_000;

/**
 * Returns notes about manifests that say less than they could: old ones, and those with values that leave the analysis.
 * @param today such as `2026-11-25`
 */
export function manifestNotes(
  consumers: readonly KnownConsumer[],
  today: string,
  maxAgeDays: number,
): Finding[] {
  return consumers.flatMap(({ manifest, file, project }): Finding[] => {
    const { consumer, createdAt, escapes } = manifest;
    const days = Math.floor((Date.parse(today) - Date.parse(createdAt)) / dayMs);
    const [first] = escapes;
    return [
      ...(days > maxAgeDays && project === undefined
        ? [
            {
              rule: 'manifest-old',
              severity: 'note' as const,
              message: `The manifest of ${consumer} is ${days} days old.`,
              fix: 'Write it again in the project of the consumer: parley-contract uses --out FILE',
              file,
              line: 1,
            },
          ]
        : []),
      ...(first
        ? [
            {
              rule: 'manifest-escapes',
              severity: 'note' as const,
              message: `In ${consumer}, values leave the analysis at ${escapes.length === 1 ? 'one place' : `${escapes.length} places`}. Changes of their schemas count as breaking it.`,
              fix: `The first one is ${first.at}: ${first.reason}.`,
              file,
              line: 1,
            },
          ]
        : []),
    ];
  });
}
