import type { KnownConsumer } from '../uses/read-consumers.ts';
import type { Finding } from './check.ts';

const dayMs = 86_400_000;
/** A manifest is reported as old from this age: most projects have changed since. */
const maxAgeDays = 90;

/**
 * Returns notes about manifests that say less than they could: old ones, and those with values that leave the analysis.
 * @param today such as `2026-11-25`
 */
export function manifestNotes(consumers: readonly KnownConsumer[], today: string): Finding[] {
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
