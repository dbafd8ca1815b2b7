import { deleteContact } from '../../../../server/features/contacts/delete.ts';
import { openConversation } from '../../../../server/features/conversations/open.ts';
import * as conversations from '../../../../server/features/conversations/operator-actions.ts';
import {
  addField,
  deleteField,
  updateFieldDefinition,
} from '../../../../server/features/fields/definitions.ts';
import { receiveMessage } from '../../../../server/features/messages/receive.ts';
import { deleteMessage, editMessage, markMessageRead } from '../../../../server/features/messages/update.ts';
import type { Transaction } from '../../../../server/storage/store.ts';
import type { ResourceName } from '../../own-contract/valid-requests.ts';
import type { RandomInput } from './random-input.ts';
import type { EngineTarget } from './targets.ts';

/** A random operator command, and the kind of object that it creates. */
export interface OperatorCommand {
  made?: ResourceName;
  work: (db: Transaction, side: EngineTarget) => Promise<unknown>;
}

/** Generates commands that only operators can run. */
export function randomOperatorCommands({ below, chance, oneOf, which, text, fieldType }: RandomInput) {
  const commands: Record<string, () => OperatorCommand> = {
    addField: () => {
      const field = {
        name: text(),
        type: fieldType(),
        icon: 'tag',
        order: chance(0.5) ? below(9) : undefined,
        isUnique: chance(0.4),
      };
      return { made: 'field', work: (db, { company, now }) => addField(db, company.id, field, now()) };
    },
    changeField: () => {
      const [id, change] = [which('field'), { order: below(9), isUnique: chance(0.5) }];
      return { work: (db, side) => updateFieldDefinition(db, side.company.id, id(side), change, side.now()) };
    },
    deleteField: () => {
      const id = which('field');
      return { work: (db, side) => deleteField(db, side.company.id, id(side), side.now()) };
    },
    deleteContact: () => {
      const id = which('contact');
      return { work: (db, side) => deleteContact(db, side.company.id, id(side), side.now()) };
    },
    openConversation: () => {
      const [id, service] = [which('contact'), oneOf(['mail', 'webchat', 'whatsapp'] as const)];
      return {
        made: 'conversation',
        work: (db, side) =>
          openConversation(db, side.company.id, { caller_id: id(side), service }, side.now()),
      };
    },
    conversation: () => {
      const [id, number] = [which('conversation'), below(9) + 1];
      const act = oneOf([
        conversations.closeConversation,
        conversations.archiveConversation,
        (db: Transaction, location: conversations.ConversationTarget) =>
          conversations.forwardConversation(db, location, { team: number }),
        (db: Transaction, location: conversations.ConversationTarget) =>
          conversations.updateConversationSettings(db, location, { no_matches_count: number }),
        ...(chance(0.3) ? [conversations.deleteConversation] : []),
      ]);
      return { work: (db, side) => act(db, { companyId: side.company.id, id: id(side), now: side.now() }) };
    },
    receive: () => {
      const [id, payload] = [which('conversation'), text()];
      return {
        made: 'message',
        work: (db, side) =>
          receiveMessage(
            db,
            side.company.id,
            { conversation_id: id(side), type: 'text', payload },
            side.now(),
          ),
      };
    },
    message: () => {
      const [id, payload] = [which('message'), text()];
      const act = oneOf([
        (db: Transaction, location: conversations.ConversationTarget) => editMessage(db, location, payload),
        markMessageRead,
        ...(chance(0.3) ? [deleteMessage] : []),
      ]);
      return { work: (db, side) => act(db, { companyId: side.company.id, id: id(side), now: side.now() }) };
    },
  };
  return new Map(Object.entries(commands));
}
