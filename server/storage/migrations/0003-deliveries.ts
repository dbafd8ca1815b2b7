import { sql } from 'kysely';
import type { SchemaMigration } from '../engine.ts';

/** Deliveries with attempts, retries and pauses; webhooks that can be disabled, with secrets that rotate. */
export const deliveries: SchemaMigration = async (db, { integer, bytes }) => {
  for (const [name, type] of [
    ['disabled_at', integer],
    ['disabled_why', 'text'],
    ['failing_since', integer],
    ['previous_secret', bytes],
    ['previous_secret_until', integer],
  ] as const)
    await db.schema.alterTable('webhooks').addColumn(name, type).execute();

  // Payloads never change. They have their own table, because otherwise each update of a delivery would rewrite them.
  const key = ['company_id', 'webhook_id', 'sequence'] as const;
  await db.schema
    .createTable('delivery_payloads')
    .addColumn('company_id', integer, (column) => column.notNull())
    .addColumn('webhook_id', integer, (column) => column.notNull())
    .addColumn('sequence', integer, (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('delivery_payloads_key', [...key])
    .addForeignKeyConstraint('delivery_payloads_delivery', [...key], 'deliveries', [...key], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  await sql`insert into delivery_payloads select company_id, webhook_id, sequence, payload from deliveries`.execute(
    db,
  );
  await db.schema.alterTable('deliveries').dropColumn('payload').execute();

  const table = () => db.schema.alterTable('deliveries');
  await table().addColumn('due_at', integer).execute();
  await table().addColumn('leased_by', 'text').execute();
  await table().addColumn('leased_until', integer).execute();
  await table()
    .addColumn('attempts', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await table()
    .addColumn('replayed', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await table()
    .addColumn('log', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  // Earlier versions stored deliveries but did not send them. Those deliveries become due immediately.
  await sql`update deliveries set due_at = created_at where state = 'waiting'`.execute(db);

  const waiting = sql<boolean>`state = 'waiting'`;
  // The first two indexes exclude claimed deliveries, so that their due times need not be kept sorted.
  const free = sql<boolean>`state = 'waiting' and leased_by is null`;
  const index = (name: string) => db.schema.createIndex(name).on('deliveries');
  // For the check whether any delivery is due.
  await index('deliveries_due').column('due_at').where(free).execute();
  // For listing the webhooks with pending deliveries, and the due deliveries of each webhook.
  await index('deliveries_of_webhook_due')
    .columns(['company_id', 'webhook_id', 'due_at', 'sequence'])
    .where(free)
    .execute();
  // For the check whether an older delivery about the same entity is due.
  await index('deliveries_of_entity')
    .columns(['company_id', 'webhook_id', 'data_id', 'sequence'])
    .where(waiting)
    .execute();
  // Allows only one claimed delivery per webhook and entity (D46), however many workers run.
  await index('deliveries_leased')
    .columns(['company_id', 'webhook_id', 'data_id'])
    .unique()
    .where(sql<boolean>`leased_by is not null`)
    .execute();
  // For operators, who list and count exhausted deliveries.
  await index('deliveries_exhausted')
    .columns(['company_id', 'webhook_id', 'sequence'])
    .where(sql<boolean>`state = 'exhausted'`)
    .execute();
};
