import { createContact, getContact, listContacts } from './contacts/handlers.ts';
import type { Api } from './contract/handler.ts';
import { listCustomFields } from './fields/handlers.ts';
import type { Store } from './storage/store.ts';

/** What handlers reach beyond their input. */
export interface Needs {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Every operation of the contract and its handler: one that is missing does not compile. */
export const api = {
  listContacts,
  createContact,
  getContact,
  listCustomFields,
} satisfies Api<Needs>;
