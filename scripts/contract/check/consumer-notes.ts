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

/** Returns a note for each manifest with values that leave the analysis. */
export const escapeNotes = (consumers: readonly KnownConsumer[]): Finding[] =>
  consumers.flatMap(({ manifest: { consumer, escapes }, file }): Finding[] => {
    const [first] = escapes;
    if (!first) return [];
    const places = counted(escapes.length, 'place');
    return [
      {
        rule: 'manifest-escapes',
        severity: 'note',
        message: `In ${consumer}, values leave the analysis at ${places}. Changes of their schemas count as breaking it.`,
        fix: `The first one is ${first.at}: ${first.reason}.`,
        ...{ file, line: 1 },
      },
    ];
  });
