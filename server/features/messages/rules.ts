import { problemsIn } from '../../contract/validate.ts';
import { invalid, Refused } from '../../errors.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';
import { presentMessage } from './present.ts';

/** The contract says what a message may be. @throws Refused where it is not that */
export function refuseUnfit(row: MessageRow): void {
  const problems = problemsIn('Message', presentMessage(row));
  if (problems.length > 0) throw new Refused(invalid(problems));
}

/** How many bytes a payload takes in an answer: as JSON writes it, control characters six bytes each. */
export const bytesOf = (payload: string): number => Buffer.byteLength(JSON.stringify(payload));
