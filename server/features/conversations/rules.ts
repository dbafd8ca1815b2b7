import { ApiError } from '../../contract/errors.ts';
import { validationError } from '../../errors.ts';
import { validateAgainstSchema } from '../../own-contract/validate.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import { presentConversation } from './present.ts';

/** Validates a conversation against the contract. @throws ApiError */
export function assertValidConversation(row: ConversationRow): void {
  const problems = validateAgainstSchema('Conversation', presentConversation(row));
  if (problems.length > 0) throw new ApiError(validationError(problems));
}
