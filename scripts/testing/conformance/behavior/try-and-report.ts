import type { TestCase } from '../../requests/test-case.ts';
import type { ConformanceCheck } from '../check-result.ts';
import type { PhaseContext } from '../phases.ts';
import type { SentRequest } from '../service-watch.ts';
import type { TriedRequest } from '../session.ts';

/** Sends a request, and reports what its response violates. */
export async function tryAndReport({ session }: PhaseContext, attempt: TestCase): Promise<TriedRequest> {
  const tried = await session.tryOut(attempt);
  for (const violation of tried.result.violations) session.report('stateful', tried, violation);
  return tried;
}

/** Counts a check, and reports its violation. @param message undefined if the check has passed */
export function conclude(
  { session }: PhaseContext,
  tried: SentRequest,
  check: ConformanceCheck,
  message: string | undefined,
): void {
  session.count(tried.attempt.request.operation.id, check, message === undefined);
  if (message !== undefined) session.report('stateful', tried, { check, message });
}
