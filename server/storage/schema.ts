import type { Generated } from 'kysely';
import type { Schemas } from '../own-contract/handler.ts';
import type { StoredState } from './delivery-states.ts';

/**
 * The rows of each table. Timestamps are milliseconds since 1970, and flags are 0 or 1, so that the same queries run on
 * both engines. `present*` functions convert rows to the API's form.
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
  unsettled_webhooks: UnsettledWebhookTable;
  import_keys: ImportKeyTable;
  erasures: ErasureTable;
  audit_records: AuditRecordTable;
}

export type BooleanFlag = 0 | 1;

export interface CompanyTable {
  id: Generated<number>;
  name: string;
  created_at: number;
  /** The rate limit of its tokens (D33); null for that of the service. */
  rate_per_minute: number | null;
}

export interface TokenTable {
  id: Generated<number>;
  company_id: number;
  user_id: number;
  name: string;
  /** SHA-256 of the token, which is not stored itself (D30). */
  digest: Uint8Array;
  /** Separated by spaces. */
  scopes: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
  /** Its own rate limit (D33); null for that of the company. */
  rate_per_minute: number | null;
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
  /**
   * Whether the contact has no name, no e-mail address and no telephone number (D12). Stored, because lists exclude
   * anonymous contacts by default.
   */
  is_anonymous: BooleanFlag;
  /** The text that searches are matched against (D21); null until it is created. */
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
  /** SHA-256 of the canonical value, if the field is unique and the contact is not deleted (D08). */
  unique_digest: Uint8Array | null;
}

export interface IdempotencyKeyTable {
  company_id: number;
  key: string;
  /** SHA-256 of the operation, the body, and the user or token. */
  request_digest: Uint8Array;
  status: number;
  /** JSON; encrypted if the headers contain a secret. */
  headers: string;
  body: string;
  created_at: number;
}

export interface ConversationTable {
  id: Generated<number>;
  company_id: number;
  /** The ID of the conversation's contact. */
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
  /** Null if the contact wrote it (D16). */
  user_id: number | null;
  type: Schemas['MessageType'];
  payload: string;
  /** Size as JSON in UTF-8. Stored, so that the limits of a response (D22) are computed without reading payloads. */
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
  /** Sequence of the newest event; the first is 1. */
  last_sequence: number;
  /** When the webhook was disabled; null if it is enabled. */
  disabled_at: number | null;
  /** `operator`, `gone` (its URL returned 410) or `failing` (D45, D47). */
  disabled_why: DisabledWhy | null;
  /** Time of the first failure since the last success; null if no request has failed since. */
  failing_since: number | null;
  /** Encrypted. Until `previous_secret_until` it signs events too (D44). */
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  /** IDs of the tokens that created and last changed the webhook; null if that was before IDs were recorded. */
  created_by_token: number | null;
  updated_by_token: number | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export type DisabledWhy = 'operator' | 'gone' | 'failing';

export interface DeliveryTable {
  company_id: number;
  webhook_id: number;
  /** Numbers the events of the webhook without gaps (D42). */
  sequence: number;
  type: string;
  /** The ID of the entity in the event's `data`. */
  data_id: number;
  state: StoredState;
  /** Time of the next attempt; null if none is planned. */
  due_at: number | null;
  /** The worker that holds the lease, and the end of the lease. */
  leased_by: string | null;
  leased_until: number | null;
  /** Number of attempts since the event, or since the last replay or resumption of the delivery. */
  attempts: Generated<number>;
  /** Whether an operator replayed the delivery. Replays do not affect the health of the webhook. */
  replayed: Generated<BooleanFlag>;
  /** The last attempts as JSON, oldest first. */
  log: Generated<string>;
  /** The trace of the request that caused the event (D67). */
  traceparent: string | null;
  created_at: number;
}

export interface DeliveryPayloadTable {
  company_id: number;
  webhook_id: number;
  sequence: number;
  /** The full payload of the event as JSON, fixed when the event occurred. The short form is derived from it. */
  payload: string;
}

/** A webhook whose deliveries do not follow its last change yet. */
export interface UnsettledWebhookTable {
  company_id: number;
  webhook_id: number;
  /** A random number for the change. */
  change: number;
}

export interface ImportKeyTable {
  company_id: number;
  kind: 'contact' | 'conversation' | 'message';
  /** The key of the line in the import file. */
  key: string;
  id: number;
}

/** Erasures by operators. Rows outlive their company, so that the erasures can be repeated after a restore. */
export interface ErasureTable {
  company_id: number;
  /** Tokens are revoked and webhooks are disabled, not erased. Only a restore adds rows of these types. */
  kind: 'contact' | 'company' | 'token' | 'webhook';
  /** The ID of the contact, company, token or webhook. */
  entity_id: number;
  /** Distinguishes the entity from another one that gets the same ID after a restore. */
  entity_created_at: number;
  erased_at: number;
}

/** A command of an operator, or a change through the API (D68). The database rejects changes of these rows. */
export interface AuditRecordTable {
  id: Generated<number>;
  /** 0 for commands that concern no single company. */
  company_id: number;
  created_at: number;
  /** The operator's name, for commands. */
  operator: string | null;
  /** The token and its user, for requests. */
  token_id: number | null;
  user_id: number | null;
  /** The name of the command, or the ID of the operation. */
  action: string;
  /** The created or changed entity, for requests. */
  entity_id: number | null;
  request_id: string | null;
  /** The options of the command as JSON: only numbers and flags, because texts can contain personal data. */
  options: string | null;
}
