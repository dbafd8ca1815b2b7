import type { Command } from 'commander';
import { deleteMessage } from '../features/messages/update.ts';
import { messageCommand } from './message-command.ts';

export const messageDelete = (): Command =>
  messageCommand(
    {
      verb: 'delete',
      past: 'deleted',
      about: 'Delete a message: it is hidden everywhere.',
    },
    deleteMessage,
  );
