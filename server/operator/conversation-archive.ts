import type { Command } from 'commander';
import { archiveConversation } from '../features/conversations/operator-actions.ts';
import { conversationCommand } from './conversation-command.ts';

export const conversationArchive = (): Command =>
  conversationCommand(
    {
      verb: 'archive',
      past: 'archived',
      about: 'Put a conversation into the archive. A new message takes it out again.',
    },
    archiveConversation,
  );
