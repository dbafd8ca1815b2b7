import { validateAgainstSchema } from '../../contract/validate.ts';
import { validationError } from '../../errors.ts';
import { ApiError } from '../../pipeline/errors.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';
import { presentMessage } from './present.ts';

/** The contract says what a message may be. @throws Refused where it is not that */
export function assertValidMessage(row: MessageRow): void {
  const problems = validateAgainstSchema('Message', presentMessage(row));
  if (problems.length > 0) throw new ApiError(validationError(problems));
}

/** How many bytes a payload takes in an answer: as JSON writes it, control characters six bytes each. */
export const payloadBytes = (payload: string): number => Buffer.byteLength(JSON.stringify(payload));
