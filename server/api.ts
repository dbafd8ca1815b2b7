import {
  createContact,
  getContact,
  listContacts,
  searchContacts,
  updateContact,
} from './features/contacts/handlers.ts';
import { getConversation, listConversations } from './features/conversations/handlers.ts';
import { listCustomFields } from './features/fields/handlers.ts';
import type { RunIdempotent } from './features/idempotency.ts';
import { createMessage, getMessage } from './features/messages/handlers.ts';
import { createWebhook, deleteWebhook, updateWebhook } from './features/webhooks/handlers.ts';
import type { Api } from './own-contract/handler.ts';
import type { CallerStore } from './security/auth/caller-store.ts';
import type { EgressPolicy } from './security/egress/policy.ts';
import type { ResolveHost } from './security/egress/resolver.ts';
import type { Secrets } from './security/secrets/encryption.ts';

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
