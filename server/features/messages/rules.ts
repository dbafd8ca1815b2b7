import { ApiError } from '../../contract/errors.ts';
import { validationError } from '../../errors.ts';
import { validateAgainstSchema } from '../../own-contract/validate.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';
import { presentMessage } from './present.ts';

/** Validates a message against the contract. @throws ApiError */
export function assertValidMessage(row: MessageRow): void {
  const problems = validateAgainstSchema('Message', presentMessage(row));
  if (problems.length > 0) throw new ApiError(validationError(problems));
}

/** Returns the size of a payload as JSON, in bytes. A control character takes up to six bytes. */
export const payloadBytes = (payload: string): number => Buffer.byteLength(JSON.stringify(payload));
