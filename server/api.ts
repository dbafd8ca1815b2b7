import { createContact, getContact, listContacts } from './contacts/handlers.ts';
import { checkDateRange } from './contacts/rules.ts';
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

/** Rules that a schema cannot state and that need no stored data, by operation. The mock keeps them too. */
export const checks = {
  listContacts: checkDateRange,
} satisfies Partial<Record<keyof typeof api, unknown>>;
