import { errorMessage } from '../../../server/lib/error-message.ts';
import { type Check, type CheckContext, type CheckOutcome, type Finding, SkippedCheck } from './check.ts';

/**
 * Runs checks concurrently.
 * @param onOutcome called when a check ends
 * @returns the outcomes in the order of the checks; a check that throws does not stop the others
 */
export function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  onOutcome: (outcome: CheckOutcome) => void,
): Promise<CheckOutcome[]> {
  return Promise.all(
    checks.map(async (check) => {
      const startedAt = performance.now();
      const outcome: CheckOutcome = {
        check: check.name,
        ...(await resultOf(check, context)),
        seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      };
      onOutcome(outcome);
      return outcome;
    }),
  );
}

async function resultOf(
  check: Check,
  context: CheckContext,
): Promise<Omit<CheckOutcome, 'check' | 'seconds'>> {
  if (!check.forAny && !context.isOwn)
    return {
      state: 'not run',
      findings: [],
      summary: `it runs only for the contract that api in the settings names. Set it to ${context.api}`,
    };
  try {
    const { findings, summary } = await check.run(context);
    return { state: findings.some(isError) ? 'failed' : 'passed', findings, summary };
  } catch (error) {
    const message = errorMessage(error);
    return {
      state: error instanceof SkippedCheck ? 'not run' : 'could not run',
      findings: [],
      summary: message,
    };
  }
}

const isError = ({ severity }: Finding): boolean => severity === 'error';

/** Returns the exit code: 1 if an applicable check failed or could not run, 0 if all of them passed, otherwise 3. */
export function exitCodeOf(
  outcomes: readonly CheckOutcome[],
  checks: readonly Check[],
  isOwn: boolean,
): number {
  const counted = outcomes.filter(({ check }) => isOwn || checks.find(({ name }) => name === check)?.forAny);
  if (counted.some(({ state }) => state === 'failed' || state === 'could not run')) return 1;
  // If no check applies, nothing is proven.
  return counted.length > 0 && counted.every(({ state }) => state === 'passed') ? 0 : 3;
}
