import { formatTimestamp, formatTimestampOrNull } from '../own-contract/timestamp.ts';
import { eventTypeOf } from '../own-contract/webhook-selectors.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';

/** Describes the state of a webhook: `on`, `failing`, or `off` with the reason. */
export const webhookState = ({ disabled_at, disabled_why, failing_since }: WebhookRow): string => {
  if (disabled_at !== null) return `off (${disabled_why})`;
  return failing_since === null ? 'on' : 'failing';
};

/** Returns the event type of a webhook. */
export const eventOf = ({ entity_id, action_id }: WebhookRow): string | null =>
  eventTypeOf(entity_id, action_id) ?? null;

/** Converts a webhook to JSON, without its secrets. */
export const formatWebhook = (row: WebhookRow) => ({
  id: row.id,
  company_id: row.company_id,
  verb_id: row.verb_id,
  entity_id: row.entity_id,
  action_id: row.action_id,
  event: eventOf(row),
  url: row.url,
  automation_id: row.automation_id,
  last_sequence: row.last_sequence,
  disabled_at: formatTimestampOrNull(row.disabled_at),
  disabled_why: row.disabled_why,
  failing_since: formatTimestampOrNull(row.failing_since),
  previous_secret_until: formatTimestampOrNull(row.previous_secret_until),
  created_by_token: row.created_by_token,
  updated_by_token: row.updated_by_token,
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at),
});
