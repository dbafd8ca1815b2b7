import type { OperationId } from '../generated/operations.ts';
import type { ApiHandler } from './features/api-handler.ts';
import {
  createContact,
  getContact,
  listContacts,
  searchContacts,
  updateContact,
} from './features/contacts/handlers.ts';
import { getConversation, listConversations } from './features/conversations/handlers.ts';
import { listCustomFields } from './features/fields/handlers.ts';
import { createMessage, getMessage } from './features/messages/handlers.ts';
import { createWebhook, deleteWebhook, updateWebhook } from './features/webhooks/handlers.ts';

/** The handler of each operation of the contract. A missing handler is a compile-time error. */
export const handlers: { [Id in OperationId]: ApiHandler<Id> } = {
  listContacts,
  createContact,
  searchContacts,
  getContact,
  updateContact,
  listCustomFields,
  listConversations,
  getConversation,
  createMessage,
  getMessage,
  createWebhook,
  updateWebhook,
  deleteWebhook,
};
