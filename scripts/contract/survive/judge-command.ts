import type { ScenarioInfo } from '../mock/mock-types.ts';
import type { Observations, Problem } from './observations.ts';

/** The words with which test runners say that a test took too long: Vitest, Jest, Mocha, `node:test`, pytest. */
const testTimedOut =
  /Test timed out in \d+|Exceeded timeout of \d+|Timeout of \d+ms exceeded|test timed out after \d+|Failed: Timeout >/i;

/** The words with which test runners and programs name a value that is not the expected one. */
const assertionFailed = /AssertionError|AssertionFailed|expect\(.*\)\.|ERR_ASSERTION|^E\s+assert /m;

/** Errors that programs have when a value is not what they are written for. */
const crashed =
  /^\s*(?:\S+\s)?(?:Uncaught )?(TypeError|RangeError|ReferenceError|SyntaxError|ZodError|ValidationError|KeyError|AttributeError|JSONDecodeError)\b.*$/m;

/**
 * Decides what the end of a test command says about a client. If a scenario changes values, tests that expect the usual
 * ones fail, and this says nothing about the client.
 * @param isReported whether tests reported their results by `survived`, which says more
 */
export function judgeCommand(
  { effect, class: kind }: ScenarioInfo,
  { command: { exitCode, output, durationMs } }: Pick<Observations, 'command'>,
  isReported: boolean,
): Problem[] {
  if (exitCode === undefined)
    return [
      {
        kind: 'time-out',
        message: `The tests did not end within ${Math.round(durationMs / 1_000)} s, and were stopped.`,
      },
    ];
  if (exitCode === 0) return [];
  const late = testTimedOut.exec(output)?.[0];
  if (late !== undefined)
    return [{ kind: 'time-out', message: `A test waited until its own time-out: ${late}` }];
  const line = (crashed.exec(output)?.[0] ?? assertionFailed.exec(output)?.[0] ?? lastLine(output)).trim();
  const failed: Problem[] = [{ kind: 'exception', message: `The tests fail: ${line.slice(0, 300)}` }];
  if (effect === 'nothing') return failed;
  if (effect === 'error' || kind === 'intermediary' || isReported) return [];
  return assertionFailed.test(output) || !crashed.test(output) ? [] : failed;
}

const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? '';
