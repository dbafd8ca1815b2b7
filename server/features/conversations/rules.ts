import { problemsIn } from '../../contract/validate.ts';
import { invalid, Refused } from '../../errors.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import { presentConversation } from './present.ts';

/** The contract says what a conversation may look like. */
export function refuseUnfit(row: ConversationRow): void {
  const problems = problemsIn('Conversation', presentConversation(row));
  if (problems.length > 0) throw new Refused(invalid(problems));
}
