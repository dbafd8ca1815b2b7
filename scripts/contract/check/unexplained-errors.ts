import type { Finding } from './check.ts';
import type { JudgedConsumer } from './consumer-impact.ts';
import { placesText } from './reports/impact-lines.ts';

/** Returns a finding for each consumer with errors that no breaking change explains: of an added value, for example. */
export const unexplainedErrors = (consumers: readonly JudgedConsumer[]): Finding[] =>
  consumers
    .filter(({ unexplained }) => unexplained.length > 0)
    .map(({ manifest: { consumer }, unexplained, file }) => ({
      rule: 'consumer-does-not-compile',
      severity: 'warning',
      message: `${consumer} does not compile with the new types at ${placesText(unexplained)}. It uses none of the breaking changes there.`,
      fix: 'Tell the consumer. An added value or property is no breaking change, but exhaustive code rejects it.',
      file,
      line: 1,
    }));
