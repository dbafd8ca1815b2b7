import type { Generated } from 'kysely';
import type { Schemas } from '../contract/handler.ts';

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
  conversations: ConversationTable;
  messages: MessageTable;
  webhooks: WebhookTable;
  deliveries: DeliveryTable;
  delivery_payloads: DeliveryPayloadTable;
  import_keys: ImportKeyTable;
  rate_buckets: RateBucketTable;
  erasures: ErasureTable;
}

export type BooleanFlag = 0 | 1;

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

export interface FieldTable {
  id: Generated<number>;
  company_id: number;
  icon: string;
  name: string;
  type: Schemas['FieldType'];
  order: number;
  is_unique: BooleanFlag;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface ContactTable {
  id: Generated<number>;
  company_id: number;
  first_name: string | null;
  last_name: string | null;
  email_address: string | null;
  telephone_number: string | null;
  avatar: string | null;
  status: Schemas['ContactStatus'];
  from_integration: BooleanFlag;
  integration: string | null;
  from_whatsapp: BooleanFlag;
  from_email: BooleanFlag;
  /** Neither name nor address (D12); stored, because lists leave these out unless asked. */
  is_anonymous: BooleanFlag;
  /** What a search compares with (D21); null while it is still to be made. */
  search_text: string | null;
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
  /** JSON; the headers are encrypted where a secret is among them. */
  headers: string;
  body: string;
  created_at: number;
}

export interface ConversationTable {
  id: Generated<number>;
  company_id: number;
  /** The contact. */
  caller_id: number;
  user_id: number | null;
  team_id: number | null;
  service: Schemas['ConversationService'];
  webchat_socket_channel: string | null;
  new: BooleanFlag;
  is_closed: BooleanFlag;
  archived: number | null;
  chatbot_enabled: BooleanFlag;
  no_matches_count: number;
  out_of_office_replied: BooleanFlag;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface MessageTable {
  id: Generated<number>;
  company_id: number;
  conversation_id: number;
  /** Null where the contact wrote it (D16). */
  user_id: number | null;
  type: Schemas['MessageType'];
  payload: string;
  /** As JSON writes it, in UTF-8; kept beside the payload, so that the bounds of an answer (D22) are found without reading it. */
  payload_bytes: number;
  new: BooleanFlag;
  read: BooleanFlag;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface WebhookTable {
  id: Generated<number>;
  company_id: number;
  verb_id: Schemas['WebhookVerbId'];
  entity_id: Schemas['WebhookEntityId'];
  action_id: Schemas['WebhookActionId'];
  url: string;
  automation_id: number | null;
  /** Encrypted (D44). */
  secret: Uint8Array;
  /** Of the newest event that is or was to be sent; the first is 1. */
  last_sequence: number;
  /** Since when nothing is sent to it any more; null where it is on. */
  disabled_at: number | null;
  /** `operator`, `gone` (its address answered with 410) or `failing` (D45, D47). */
  disabled_why: DisabledWhy | null;
  /** When the first of the failures came that no success has followed; null where the last attempt was none. */
  failing_since: number | null;
  /** Encrypted; what is sent until then is signed with it, too (D44). */
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  /** The token that created it, and the one that changed it last; null if that was before this was stored. */
  created_by_token: number | null;
  updated_by_token: number | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export type DisabledWhy = 'operator' | 'gone' | 'failing';

/**
 * `waiting` for its next attempt, or in one; `held` while its webhook is disabled (D47); `exhausted`: given up, but
 * kept (D45); `ended`: its webhook was deleted before it was sent (D49).
 */
export type DeliveryState = 'waiting' | 'held' | 'delivered' | 'exhausted' | 'ended';

export interface DeliveryTable {
  company_id: number;
  webhook_id: number;
  /** Without gaps within the webhook (D42). */
  sequence: number;
  type: string;
  /** The id of the event's `data`. */
  data_id: number;
  state: DeliveryState;
  /** When the next attempt may be made; null where none will be made. */
  due_at: number | null;
  /** The worker that has it in hand, and until when it has it without a sign of life. */
  leased_by: string | null;
  leased_until: number | null;
  /** How many attempts were made since it happened, was replayed, or its webhook was enabled. */
  attempts: Generated<number>;
  /** Whether an operator has sent it again; then it says nothing about the health of its webhook. */
  replayed: Generated<BooleanFlag>;
  /** The last attempts as JSON, the oldest first. */
  log: Generated<string>;
  created_at: number;
}

export interface DeliveryPayloadTable {
  company_id: number;
  webhook_id: number;
  sequence: number;
  /** The event in its full form, as JSON, frozen when it happened; the short form follows from it. */
  payload: string;
}

export interface ImportKeyTable {
  company_id: number;
  kind: 'contact' | 'conversation' | 'message';
  /** The name that the file gives to it. */
  key: string;
  id: number;
}

/** What operators erased. It outlives its company, so that a restore can erase it again. */
export interface ErasureTable {
  company_id: number;
  kind: 'contact' | 'company';
  /** The id of the contact or company. */
  entity_id: number;
  /** Tells it from another entity that gets the same id after a restore. */
  entity_created_at: number;
  erased_at: number;
}

/** Nobody's data: what is lost of it is a limit that begins anew. */
export interface RateBucketTable {
  limit_name: string;
  key: string;
  /** In thousandths; below zero where more was let pass than was left. */
  level: number;
  at: number;
  /** What was taken at that moment. */
  spent: number;
}
