import fc from 'fast-check';
import { TimeIsOver, UnsatisfiableSchema } from '../schema-values/arbitrary.ts';
import type { Violation } from './check-result.ts';
import type { SentRequest } from './service-watch.ts';
import type { Session } from './session.ts';

/** A violation and the request that showed it. */
export interface Found {
  tried: SentRequest;
  violation: Violation;
}

/**
 * Maximum number of searches. Each search excludes the violations already found, which could hide others.
 */
const maxRounds = 5;
/** Time limit for shrinking, in case the service is slow. */
const shrinkMs = 20_000;

/**
 * Searches random inputs for violations, shrinks the inputs, and reports what is left.
 * @param violationsOf tries an input; it sends its next request only after the caller has asked for the next violation
 * @throws TimeIsOver if the run has ended
 */
export async function search<Input>(
  session: Session,
  inputs: fc.Arbitrary<Input>,
  violationsOf: (input: Input) => AsyncIterable<Found>,
  parameters: fc.Parameters<[Input]>,
): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    let last: Found | undefined;
    let until = Number.POSITIVE_INFINITY;
    let silent = false;
    let over: TimeIsOver | undefined;
    const noteEnd = (error: unknown) => {
      if (!(error instanceof TimeIsOver)) throw error;
      over = error;
    };
    const property = fc.asyncProperty(inputs, async (input) => {
      if (over || silent || performance.now() > until) return true;
      try {
        for await (const found of violationsOf(input)) {
          // After a request without a response, no more are sent, because each could take a whole timeout.
          silent = found.tried.response === undefined;
          if (session.isKnown(found.tried.attempt.request.operation.id, found.violation)) continue;
          if (last && last.violation.check !== found.violation.check) continue;
          until = Math.min(until, performance.now() + shrinkMs);
          last = found;
          return false;
        }
      } catch (error) {
        noteEnd(error);
      }
      return true;
    });
    const details = await fc.check(property, { ...parameters, seed: session.seed }).catch(noteEnd);
    if (details?.failed && !last) {
      if (!(details.errorInstance instanceof UnsatisfiableSchema)) throw details.errorInstance;
      session.notes.add(details.errorInstance.message);
      return;
    }
    if (last) session.report(last.tried, last.violation);
    if (over) throw over;
    if (!last || silent) return;
  }
  session.notes.add(`Found ${maxRounds} causes for one kind of request; there may be more.`);
}
