import type { Command } from 'commander';
import { markMessageRead } from '../features/messages/update.ts';
import { messageCommand } from './message-command.ts';

export const messageMarkRead = (): Command =>
  messageCommand(
    {
      verb: 'mark-read',
      past: 'marked as read',
      about: 'Mark a message as read, like a read receipt of the channel.',
    },
    markMessageRead,
  );
