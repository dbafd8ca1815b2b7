import { readFile } from 'node:fs/promises';
import { goalsOf } from '../../../testing/coverage/coverage-items.ts';
import { currentCommit, readRecording } from '../../../testing/coverage/recording.ts';
import { coverageOf } from '../../../testing/coverage/report.ts';
import { operationsOf } from '../../../testing/requests/operations.ts';
import { createWorld } from '../../../testing/schema-values/schema-context.ts';
import { type Check, type Finding, NotRun } from '../check.ts';

/** What may be left unreached; empty, unless there are reasons. */
const allowed = 'test/scripts/testing/coverage/uncovered.json';

/** Whether the last `npm test` has reached everything that the contract promises. */
export const coverage: Check = {
  name: 'coverage',
  asks: 'Has the last npm test, at this commit, reached everything that the contract promises?',
  forAny: false,
  async run({ document }) {
    const [recording, now] = [await readRecording(), await currentCommit()];
    if (!recording) throw new NotRun('nothing is recorded. Run: npm test');
    if (recording.commit !== now)
      throw new NotRun(
        `the recording is of ${recording.commit || 'an unknown state'}, and this is ${now || 'unknown'}. Run: npm test`,
      );
    const world = createWorld(await document());
    const { gaps, total } = coverageOf(
      goalsOf(world, operationsOf(world)),
      recording.reached,
      recording.commit,
    );
    const known: string[] = JSON.parse(await readFile(allowed, 'utf8'));
    const goals = Object.values(total).reduce((sum, { of }) => sum + of, 0);
    return {
      findings: gaps
        .filter((gap) => !known.includes(gap))
        .map(
          (gap): Finding => ({
            rule: 'not-reached',
            severity: 'error',
            message: `No test reaches ${gap}.`,
            mend: 'Add a test that does.',
          }),
        ),
      summary: `${goals - gaps.length} of ${goals} promises reached, at ${now}`,
    };
  },
};
