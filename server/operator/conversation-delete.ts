import type { Command } from 'commander';
import { deleteConversation } from '../features/conversations/operator-actions.ts';
import { conversationCommand } from './conversation-command.ts';

export const conversationDelete = (): Command =>
  conversationCommand(
    {
      verb: 'delete',
      past: 'deleted',
      about: 'Delete a conversation: it and its messages are hidden everywhere.',
    },
    deleteConversation,
  );
