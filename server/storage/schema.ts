import type { Generated } from 'kysely';

/**
 * The rows, on every engine. Moments are milliseconds since 1970, switches 0 or 1, so that the same
 * queries run everywhere; `present` turns them into what the interface shows.
 */
export interface Schema {
  companies: CompanyTable;
  tokens: TokenTable;
  fields: FieldTable;
  contacts: ContactTable;
  field_values: FieldValueTable;
  idempotency_keys: IdempotencyKeyTable;
}

export type Switch = 0 | 1;

export interface CompanyTable {
  id: Generated<number>;
  name: string;
  created_at: number;
}

export interface TokenTable {
  id: Generated<number>;
  company_id: number;
  user_id: number;
  name: string;
  /** SHA-256 of the token; the token itself is nowhere (D30). */
  digest: Uint8Array;
  /** Separated by blanks. */
  scopes: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
}

export type FieldType = 'text' | 'short_text' | 'numbers' | 'phone' | 'email' | 'currency' | 'date';

export interface FieldTable {
  id: Generated<number>;
  company_id: number;
  icon: string;
  name: string;
  type: FieldType;
  order: number;
  is_unique: Switch;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export type ContactStatus = 'online' | 'offline' | 'minimized' | 'disconnected';

export interface ContactTable {
  id: Generated<number>;
  company_id: number;
  first_name: string | null;
  last_name: string | null;
  email_address: string | null;
  telephone_number: string | null;
  avatar: string | null;
  status: ContactStatus;
  from_integration: Switch;
  integration: string | null;
  from_whatsapp: Switch;
  from_email: Switch;
  /** Neither name nor address (D12); stored, because lists leave these out unless asked. */
  is_anonymous: Switch;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface FieldValueTable {
  company_id: number;
  contact_id: number;
  field_id: number;
  value: string;
  /** SHA-256 of the canonical value, where the field is unique and the contact is not deleted (D08). */
  unique_digest: Uint8Array | null;
}

export interface IdempotencyKeyTable {
  company_id: number;
  key: string;
  /** SHA-256 of the operation and its body. */
  request_digest: Uint8Array;
  status: number;
  /** JSON objects. */
  headers: string;
  body: string;
  created_at: number;
}
