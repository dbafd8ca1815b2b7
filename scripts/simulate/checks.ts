import type { Receivers, SentEvent } from './receivers.ts';
import { violate } from './violation.ts';
import type { World } from './world.ts';

type Row = Record<string, unknown>;

const rowsOf = ({ committed }: World, sql: string): Row[] => committed.prepare(sql).all();

/** Returns everything that is stored about contacts and messages, as text. */
export function committedText(world: World): string {
  const rows = [
    ...rowsOf(world, 'select first_name, last_name, search_text from contacts'),
    ...rowsOf(world, 'select payload from messages'),
    ...rowsOf(world, 'select payload from delivery_payloads'),
    ...rowsOf(world, 'select log from deliveries'),
    ...rowsOf(world, 'select key, body from idempotency_keys'),
  ];
  return JSON.stringify(rows);
}

/** Returns the IDs of contacts whose events workers have claimed. */
export const leasedContacts = (world: World): Set<number> =>
  new Set(
    rowsOf(
      world,
      `select data_id from deliveries where leased_by is not null and state = 'waiting' and type like 'contact.%'`,
    ).map(({ data_id }) => Number(data_id)),
  );

/** Returns the number of deliveries that are not sent yet, with at most `maxAttempts` attempts. */
export function countWaiting(world: World, maxAttempts = 1e6): number {
  const [row] = rowsOf(
    world,
    `select count(*) as count from deliveries where state in ('waiting', 'held') and attempts <= ${maxAttempts}`,
  );
  return Number(row?.count);
}

/** Checks the database when nothing is left to do. @throws Violation */
export function checkEnd(world: World, { arrivals }: Receivers): void {
  const { model } = world;
  const text = committedText(world);
  for (const forbidden of model.forbidden)
    if (text.includes(forbidden))
      violate('a revoked token has no effect', `${forbidden} was stored after the revocation of its token.`);
  const [shared] = rowsOf(
    world,
    `select value from field_values v join contacts c on c.id = v.contact_id where c.deleted_at is null
      group by v.company_id, field_id, value having count(*) > 1`,
  );
  if (shared) violate('a unique value belongs to one contact', `Several contacts have "${shared.value}".`);
  checkContacts(world);
  checkDeliveries(world, arrivals);
}

function checkContacts(world: World): void {
  const { model } = world;
  const rows = rowsOf(world, 'select id, company_id, first_name, last_name from contacts');
  const stored = Map.groupBy(rows, ({ first_name }) => String(first_name));
  const created = Map.groupBy(eventsOf(world, 'contact.created'), ({ data }) => data.id);
  const updated = Map.groupBy(eventsOf(world, 'contact.updated'), ({ data }) => data.id);
  for (const contact of model.contacts.values()) {
    const { marker } = contact;
    const [row, second] = stored.get(marker) ?? [];
    if (second) violate('an idempotency key has one effect', `${marker} was created twice.`);
    if (contact.erasure !== 'none') {
      if (contact.erasure === 'acknowledged' && row)
        violate('nothing of an erased contact leaves', `${marker} exists after its erasure.`);
      continue;
    }
    if (contact.isAcknowledged && !row) violate('acknowledged writes exist', `${marker} does not exist.`);
    if (contact.isSeen && !row)
      violate('reads return only what is committed', `${marker} was read, and does not exist.`);
    if (contact.isRejected && row)
      violate('nothing rejected is half there', `${marker} was rejected, and exists.`);
    if (!row) continue;
    const id = Number(row.id);
    const name = String(row.last_name ?? '');
    model.checkRead(contact, name, contact.acknowledgedDepth);
    const counts = [created.get(id)?.length ?? 0, updated.get(id)?.length ?? 0];
    if (counts[0] !== 1 || counts[1] !== contact.depths.get(name))
      violate(
        'each change has one event',
        `${marker} (${id}) has ${counts.join(' and ')} events of its creation and its ${contact.depths.get(name)} updates.`,
      );
  }
}

const eventsOf = (world: World, type: string): SentEvent[] =>
  rowsOf(world, `select payload from delivery_payloads`)
    .map((row): SentEvent => JSON.parse(String(row.payload)))
    .filter((event) => event.type === type);

function checkDeliveries(world: World, arrivals: Receivers['arrivals']): void {
  for (const [marker, { id }] of world.model.messages) {
    const [row, second] = rowsOf(world, `select id from messages where payload = '${marker}'`);
    if (second) violate('an idempotency key has one effect', `${marker} was created twice.`);
    if (id !== undefined && row?.id !== id) violate('acknowledged writes exist', `${marker} does not exist.`);
  }
  for (const { webhook_id, sequence, state } of rowsOf(
    world,
    'select webhook_id, sequence, state from deliveries',
  )) {
    const name = `${webhook_id}:${sequence}`;
    const hasArrived = arrivals.get(name)?.some(({ isSuccess }) => isSuccess) ?? false;
    if (state !== 'ended' && !hasArrived)
      violate('each event is delivered', `Delivery ${name} is ${state}, and no receiver has accepted it.`);
  }
  // Erased deliveries leave gaps in the sequence.
  const erased = [...world.model.contacts.values()].some(({ erasure }) => erasure !== 'none');
  for (const { id, last_sequence, count, last } of rowsOf(
    world,
    `select w.id, w.last_sequence, count(d.sequence) as count, coalesce(max(d.sequence), 0) as last from webhooks w
      left join deliveries d on d.webhook_id = w.id group by w.id`,
  ))
    if (!erased && (last_sequence !== count || last !== count))
      violate(
        'counts agree with rows',
        `Webhook ${id} has the sequence ${last_sequence}, and ${count} deliveries.`,
      );
}
