import { problemsIn } from '../contract/validate.ts';
import { invalid, Refused } from '../errors.ts';
import type { MessageRow } from '../storage/messages.ts';
import { presentMessage } from './present.ts';

/** The contract says what a message may be. @throws Refused where it is not that */
export function refuseUnfit(row: MessageRow): void {
  const problems = problemsIn('Message', presentMessage(row));
  if (problems.length > 0) throw new Refused(invalid(problems));
}
