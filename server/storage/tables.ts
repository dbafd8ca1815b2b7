import type { Schema } from './schema.ts';

// Parents come before children. If a table is missing here, the code does not compile.
const inOrder: Record<keyof Schema, true> = {
  companies: true,
  tokens: true,
  fields: true,
  contacts: true,
  field_values: true,
  idempotency_keys: true,
  conversations: true,
  messages: true,
  webhooks: true,
  deliveries: true,
  delivery_payloads: true,
  unsettled_webhooks: true,
  import_keys: true,
  erasures: true,
  audit_records: true,
};

/** The tables whose rows belong to a company: all except those named here. */
export type OwnedTable = Exclude<keyof Schema, 'companies' | 'erasures' | 'audit_records'>;

/** All tables, parents before children. */
export const tables = Object.keys(inOrder) as (keyof Schema)[];
