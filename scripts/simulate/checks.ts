import type { Model, SentEvent } from './model.ts';
import { violate } from './violation.ts';

type Row = Record<string, unknown>;

/** Runs a query on what is committed. */
export type Query = (sql: string) => Row[] | Promise<Row[]>;

/** By delivery, as `webhook:sequence`: the requests that receivers got for it. */
type Arrivals = ReadonlyMap<string, readonly { isSuccess: boolean }[]>;

/** The promises of responses, and the database, at the end. */
interface End {
  model: Model;
  query: Query;
}

/** Returns everything that is stored about contacts, as text. */
export async function committedText(query: Query): Promise<string> {
  const rows = [
    ...(await query('select first_name, last_name, search_text from contacts')),
    ...(await query('select payload from delivery_payloads')),
    ...(await query('select log from deliveries')),
    ...(await query('select key, body from idempotency_keys')),
  ];
  return JSON.stringify(rows);
}

/** Returns the IDs of contacts whose events workers have claimed. */
export async function leasedContacts(query: Query): Promise<Set<number>> {
  const rows = await query(
    `select data_id from deliveries where leased_by is not null and state = 'waiting' and type like 'contact.%'`,
  );
  return new Set(rows.map(({ data_id }) => Number(data_id)));
}

/** Returns the names of deliveries that are not sent yet, with at most `maxAttempts` attempts. */
export async function listWaiting(query: Query, maxAttempts = 1e6): Promise<string[]> {
  const rows = await query(
    `select webhook_id, sequence from deliveries where state in ('waiting', 'held') and attempts <= ${maxAttempts}`,
  );
  return rows.map(({ webhook_id, sequence }) => `delivery ${webhook_id}:${sequence}`);
}

/** Checks the database when nothing is left to do. @throws Violation */
export async function checkEnd({ model, query }: End, arrivals: Arrivals): Promise<void> {
  const text = await committedText(query);
  for (const forbidden of model.forbidden)
    if (text.includes(forbidden))
      violate(
        'a revoked token has no effect',
        `${forbidden} was stored after the revocation was acknowledged.`,
      );
  const [shared] = await query(
    `select value from field_values v join contacts c on c.id = v.contact_id where c.deleted_at is null
      group by v.company_id, field_id, value having count(*) > 1`,
  );
  if (shared)
    violate(
      'a unique value belongs to one contact',
      `Several contacts have "${shared.value}" in a unique field.`,
    );
  await checkContacts({ model, query });
  await checkDeliveries({ model, query }, arrivals);
}

async function checkContacts({ model, query }: End): Promise<void> {
  const rows = await query('select id, company_id, first_name, last_name from contacts');
  const stored = Map.groupBy(rows, ({ first_name }) => String(first_name));
  const payloads = await query('select payload from delivery_payloads');
  const events = payloads.map(({ payload }): SentEvent => JSON.parse(String(payload)));
  const byContact = Map.groupBy(events, ({ type, data }) => `${type} ${data.id}`);
  for (const contact of model.contacts.values()) {
    const { marker } = contact;
    const [row, second] = stored.get(marker) ?? [];
    if (second) violate('an idempotency key has one effect', `${marker} is stored twice.`);
    if (contact.erasure !== 'none') {
      if (contact.erasure === 'acknowledged' && row)
        violate('nothing of an erased contact leaves', `${marker} is stored after its acknowledged erasure.`);
      continue;
    }
    if ((contact.id !== undefined || contact.isSeen) && !row)
      violate('acknowledged writes exist', `A response returned ${marker} or its ID, and it is not stored.`);
    if (contact.isRejected && row)
      violate('nothing rejected is half there', `The creation of ${marker} was rejected, and it is stored.`);
    if (!row) continue;
    const id = Number(row.id);
    const name = String(row.last_name ?? '');
    model.checkRead(contact, name, contact.acknowledgedDepth);
    const counts = ['created', 'updated'].map(
      (change) => byContact.get(`contact.${change} ${id}`)?.length ?? 0,
    );
    if (counts[0] !== 1 || counts[1] !== contact.depths.get(name))
      violate(
        'each change has one event',
        `${marker} (contact ${id}) was created and updated ${contact.depths.get(name)} times, and has ${counts[0]} contact.created and ${counts[1]} contact.updated events.`,
      );
  }
}

async function checkDeliveries({ model, query }: End, arrivals: Arrivals): Promise<void> {
  for (const { webhook_id, sequence, state } of await query(
    'select webhook_id, sequence, state from deliveries',
  )) {
    const name = `${webhook_id}:${sequence}`;
    const hasArrived = arrivals.get(name)?.some(({ isSuccess }) => isSuccess) ?? false;
    if (state !== 'ended' && !hasArrived)
      violate('each event is delivered', `Delivery ${name} is ${state}, and no receiver has returned 200.`);
  }
  // Erased deliveries leave gaps in the sequence.
  const erased = [...model.contacts.values()].some(({ erasure }) => erasure !== 'none');
  for (const { id, last_sequence, count, last } of await query(
    `select w.id, w.last_sequence, count(d.sequence) as count, coalesce(max(d.sequence), 0) as last from webhooks w
      left join deliveries d on d.webhook_id = w.id group by w.id, w.last_sequence`,
  ))
    if (!erased && (Number(last_sequence) !== Number(count) || Number(last) !== Number(count)))
      violate(
        'counts agree with rows',
        `Webhook ${id} has last_sequence ${last_sequence}, but ${count} deliveries, of which the last is ${last}.`,
      );
}
