import { readFile } from 'node:fs/promises';
import { coverageItemsOf } from '../../../testing/coverage/coverage-items.ts';
import { currentCommit, readRecording } from '../../../testing/coverage/recording.ts';
import { coverageOf } from '../../../testing/coverage/report.ts';
import { operationsOf } from '../../../testing/requests/operations.ts';
import { createSchemaContext } from '../../../testing/schema-values/schema-context.ts';
import { type CheckContext, type CheckReport, type Finding, SkippedCheck } from '../check.ts';

/** Checks that the last `npm test` covered every item of the contract, except for the accepted ones. */
export async function checkCoverage({ config, contract }: CheckContext): Promise<CheckReport> {
  const [recording, now] = [await readRecording(), await currentCommit()];
  if (!recording) throw new SkippedCheck('there is no recording. Run: npm test');
  if (recording.commit !== now)
    throw new SkippedCheck(
      `the recording is of ${recording.commit || 'an unknown state'}, and this is ${now || 'unknown'}. Run: npm test`,
    );
  const context = createSchemaContext((await contract()).document);
  const { gaps, total } = coverageOf(
    coverageItemsOf(context, operationsOf(context)),
    recording.reached,
    recording.commit,
  );
  const known: string[] = JSON.parse(await readFile(config.uncovered, 'utf8').catch(() => '[]'));
  const goals = Object.values(total).reduce((sum, { of }) => sum + of, 0);
  return {
    findings: gaps
      .filter((gap) => !known.includes(gap))
      .map(
        (gap): Finding => ({
          rule: 'not-reached',
          severity: 'error',
          message: `No test covers ${gap}.`,
          fix: 'Add a test that covers it.',
        }),
      ),
    summary: `${goals - gaps.length} of ${goals} parts covered, at ${now}`,
  };
}
