import type { Command } from 'commander';
import { closeConversation } from '../features/conversations/operator-actions.ts';
import { conversationCommand } from './conversation-command.ts';

export const conversationClose = (): Command =>
  conversationCommand(
    {
      verb: 'close',
      past: 'closed',
      about: 'Close a conversation. A new message reopens it.',
    },
    closeConversation,
  );
