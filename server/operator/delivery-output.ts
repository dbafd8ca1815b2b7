import type { LoggedAttempt } from '../delivery/attempt.ts';
import { messageId } from '../delivery/webhook-request.ts';
import { formatTimestamp, formatTimestampOrNull } from '../own-contract/timestamp.ts';
import type { DeliveryRow } from '../storage/queries/deliveries.ts';

/** Returns the last attempts of a delivery, oldest first. */
export const attemptsOf = ({ log }: DeliveryRow): LoggedAttempt[] => JSON.parse(log);

/** Describes the outcome of an attempt. */
export const describeAttempt = ({ status, problem = 'connection' }: LoggedAttempt): string =>
  status === undefined ? problem : String(status);

/** Converts a delivery to JSON, without its payload, which is personal data. */
export const formatDelivery = (row: DeliveryRow) => ({
  id: messageId(row.webhook_id, row.sequence),
  company_id: row.company_id,
  webhook_id: row.webhook_id,
  sequence: row.sequence,
  type: row.type,
  data_id: row.data_id,
  state: row.state,
  due_at: formatTimestampOrNull(row.due_at),
  in_hand: row.leased_by !== null,
  attempts: row.attempts,
  replayed: row.replayed === 1,
  log: attemptsOf(row),
  created_at: formatTimestamp(row.created_at),
});
