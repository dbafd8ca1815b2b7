import type { Command } from 'commander';
import { archiveConversation } from '../features/conversations/operator-actions.ts';
import { conversationCommand } from './conversation-command.ts';

export const conversationArchive = (): Command =>
  conversationCommand(
    {
      verb: 'archive',
      past: 'archived',
      about: 'Archive a conversation. A new message unarchives it.',
    },
    archiveConversation,
  );
