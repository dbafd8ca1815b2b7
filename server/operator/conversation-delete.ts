import type { Command } from 'commander';
import { deleteConversation } from '../conversations/operate.ts';
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
