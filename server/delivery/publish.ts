import { currentTraceparent } from '../lib/trace-context.ts';
import { type DataOf, selectorsOf, validateEvent } from '../own-contract/events.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import type { EventType } from '../own-contract/webhook-selectors.ts';
import { deliveryStates } from '../storage/delivery-states.ts';
import { insertDeliveries } from '../storage/queries/deliveries.ts';
import { lockWebhooksForEvent, takeSequences } from '../storage/queries/webhooks.ts';
import type { Transaction } from '../storage/store.ts';

/** An event to publish. */
export interface EventInput<Type extends EventType> {
  companyId: number;
  type: Type;
  /** Returns the entity as the API shows it after the change. Called only if a webhook receives the event. */
  data: () => Promise<DataOf<Type> & { id: number }>;
  /** The properties of `data` that have changed. */
  changed?: readonly string[];
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Inserts one delivery for each webhook that subscribes to the event type, in the transaction that changed the entity
 * (transactional outbox).
 * @throws Error if the event would violate the contract; the change is rolled back
 */
export async function publish<Type extends EventType>(
  db: Transaction,
  { companyId, type, data, changed = [], now }: EventInput<Type>,
): Promise<void> {
  const webhooks = await lockWebhooksForEvent(db, companyId, selectorsOf(type));
  if (webhooks.length === 0) return;
  const ids = webhooks.map(({ id }) => id);
  const shown = await data();
  const events = (await takeSequences(db, companyId, ids)).map(({ id, last_sequence: sequence }) => ({
    type,
    timestamp: formatTimestamp(now),
    data: shown,
    meta: { company_id: companyId, webhook_id: id, sequence, changed },
  }));
  // The events differ only in webhook ID and sequence, which the database has assigned. Validating one is enough.
  const [problem] = validateEvent(type, events[0]);
  if (problem)
    throw new Error(`The event ${type} violates the contract: ${problem.field} ${problem.message}.`);
  const enabled = new Set(webhooks.filter((webhook) => webhook.disabled_at === null).map(({ id }) => id));
  const waiting = { state: deliveryStates.waiting, due_at: now };
  const paused = { state: deliveryStates.paused, due_at: null };
  const deliveries = events.map((event) => ({
    company_id: companyId,
    webhook_id: event.meta.webhook_id,
    sequence: event.meta.sequence,
    type,
    data_id: shown.id,
    payload: JSON.stringify(event),
    ...(enabled.has(event.meta.webhook_id) ? waiting : paused),
    traceparent: currentTraceparent(),
    created_at: now,
  }));
  await insertDeliveries(db, deliveries);
}

/** Returns the properties that differ between two states of an entity, except `updated_at`. */
export function changedProperties<T extends object>(before: T, after: T): string[] {
  const was = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => name !== 'updated_at' && !areAlike(value, was.get(name)))
    .map(([name]) => name);
}

const areAlike = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
