import type { CallerStore } from './auth/caller-store.ts';
import type { EgressPolicy } from './egress/policy.ts';
import type { ResolveHost } from './egress/resolver.ts';
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
import type { RunIdempotent } from './idempotency/idempotency.ts';
import type { Api } from './own-contract/handler.ts';
import type { Secrets } from './secrets/encryption.ts';

/** Dependencies that every handler receives in addition to its input. */
export interface HandlerDependencies {
  store: CallerStore;
  /** Returns milliseconds since 1970. */
  now: () => number;
  runIdempotent: RunIdempotent;
  secrets: Secrets;
  addressPolicy: EgressPolicy;
  resolve: ResolveHost;
}

/** The handler of each operation of the contract. A missing handler is a compile-time error. */
export const handlers: Api<HandlerDependencies> = {
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
