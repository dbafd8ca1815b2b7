import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** All checks, in the order of the report. Each check imports its module when it runs: some take seconds to load. */
export const contractChecks: readonly Check[] = [
  {
    name: 'lint',
    question: 'Is the contract valid OpenAPI that follows the rules of the configuration?',
    forAny: true,
    run: async (context) => (await import('./checks/lint.ts')).checkLint(context),
  },
  {
    name: 'score',
    question: 'Is the contract as easy to use as configured, by redocly score?',
    forAny: true,
    isOn: ({ policy }) => policy.minimumScore !== undefined,
    run: async (context) => (await import('./checks/lint.ts')).checkScore(context),
  },
  {
    name: 'generated',
    question: 'Are the generated files up to date?',
    forAny: false,
    run: async (context) => (await import('./checks/generated.ts')).checkGenerated(context),
  },
  {
    name: 'examples',
    question: 'Is every example of a request, response, header and event valid?',
    forAny: true,
    run: async (context) => (await import('./checks/examples.ts')).checkExamples(context),
  },
  {
    name: 'changes',
    question: 'Are breaking changes announced by version and changelog?',
    forAny: true,
    run: async (context) => (await import('./checks/changes.ts')).checkChanges(context),
  },
  {
    name: 'workflows',
    question: 'Do the workflows of the Arazzo documents next to the contract succeed?',
    forAny: false,
    isOn: ({ config, api }) =>
      config.startService !== undefined && existsSync(join(dirname(api), 'workflows')),
    run: async (context) => (await import('./checks/workflows.ts')).checkWorkflows(context),
  },
];
