import { counted } from '../../lib/counted.ts';
import type { KnownConsumer } from '../uses/read-consumers.ts';
import type { Finding } from './check.ts';
import type { JudgedConsumer } from './consumer-impact.ts';
import { placesText } from './reports/report-lines.ts';

/** Returns a finding for each consumer with errors that no breaking change explains: of an added value, for example. */
export const unexplainedErrors = (consumers: readonly JudgedConsumer[]): Finding[] =>
  consumers
    .filter(({ unexplained }) => unexplained.length > 0)
    .map(({ manifest: { consumer }, unexplained, file }) => ({
      rule: 'consumer-does-not-compile',
      severity: 'warning',
      message: `${consumer} does not compile with the new types at ${placesText(unexplained)}. It uses none of the breaking changes there.`,
      fix: 'Tell the consumer. An added value or property is no breaking change, but exhaustive code rejects it.',
      ...{ file, line: 1 },
    }));

const dayMs = 86_400_000;
/** A manifest is reported as old from this age: most projects have changed since. */
const maxAgeDays = 90;

/**
 * Returns notes about manifests that say less than they could: old ones, and those with values that leave the analysis.
 * @param today such as `2026-11-25`
 */
export function manifestNotes(consumers: readonly KnownConsumer[], today: string): Finding[] {
  return consumers.flatMap(({ manifest: { consumer, createdAt, escapes }, file, project }) => {
    const days = Math.floor((Date.parse(today) - Date.parse(createdAt)) / dayMs);
    const [first] = escapes;
    const notes: Finding[] = [];
    const note = (rule: string, message: string, fix: string) =>
      notes.push({ rule, severity: 'note', message, fix, file, line: 1 });
    if (days > maxAgeDays && project === undefined)
      note(
        'manifest-old',
        `The manifest of ${consumer} is ${days} days old.`,
        'Write it again in the project of the consumer: parley-contract uses --out FILE',
      );
    if (first)
      note(
        'manifest-escapes',
        `In ${consumer}, values leave the analysis at ${counted(escapes.length, 'place')}. Changes of their schemas count as breaking it.`,
        `The first one is ${first.at}: ${first.reason}.`,
      );
    return notes;
  });
}
