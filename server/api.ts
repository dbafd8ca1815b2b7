import type { AddressPolicy } from './addresses/policy.ts';
import type { Resolve } from './addresses/resolution.ts';
import {
  createContact,
  getContact,
  listContacts,
  searchContacts,
  updateContact,
} from './contacts/handlers.ts';
import type { Api } from './contract/handler.ts';
import { getConversation, listConversations } from './conversations/handlers.ts';
import { listCustomFields } from './fields/handlers.ts';
import type { Once } from './idempotency/once.ts';
import { createMessage, getMessage } from './messages/handlers.ts';
import type { Secrets } from './secrets/seal.ts';
import type { Store } from './storage/store.ts';
import { createWebhook, deleteWebhook, updateWebhook } from './webhooks/handlers.ts';

/** What handlers reach beyond their input. */
export interface Needs {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
  once: Once;
  secrets: Secrets;
  addressPolicy: AddressPolicy;
  resolve: Resolve;
}

/** Every operation of the contract and its handler: one that is missing does not compile. */
export const api = {
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
} satisfies Api<Needs>;
