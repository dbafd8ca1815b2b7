import { type Selectable, type SqlBool, sql } from 'kysely';
import type { ActionId, EntityId } from '../../own-contract/webhook-selectors.ts';
import { preparedStatement } from '../prepared-statement.ts';
import type { Database } from '../store.ts';
import type { WebhookTable } from '../tables/webhooks.ts';

export type WebhookRow = Selectable<WebhookTable>;

export function findWebhook(db: Database, companyId: number, id: number): Promise<WebhookRow | undefined> {
  return live(db, companyId).selectAll().where('id', '=', id).executeTakeFirst();
}

/** Reads a webhook and locks it until the end of the transaction. */
export function findWebhookForUpdate(
  db: Database,
  companyId: number,
  id: number,
): Promise<WebhookRow | undefined> {
  return live(db, companyId).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export function listWebhooks(db: Database, companyId: number): Promise<WebhookRow[]> {
  return live(db, companyId).selectAll().orderBy('id').execute();
}

/** Lists the webhooks that a token created or changed last. */
export function listWebhooksOfToken(db: Database, companyId: number, tokenId: number): Promise<WebhookRow[]> {
  return live(db, companyId)
    .selectAll()
    .where((eb) => eb.or([eb('created_by_token', '=', tokenId), eb('updated_by_token', '=', tokenId)]))
    .orderBy('id')
    .execute();
}

export interface EventKind {
  entityId: EntityId;
  actionId: ActionId;
}

/**
 * Lists the webhooks of an event type, and locks them until the end of the transaction, so that they do not change
 * and no sequence is used twice. The fixed order prevents deadlocks.
 */
export const lockWebhooksForEvent = (
  db: Database,
  companyId: number,
  { entityId, actionId }: EventKind,
): Promise<Pick<WebhookRow, 'id' | 'disabled_at'>[]> => lockFor(db, { companyId, entityId, actionId });

const lockFor = preparedStatement(
  (db, { companyId, entityId, actionId }: EventKind & { companyId: number }) =>
    live(db, companyId)
      .select(['id', 'disabled_at'])
      .where('entity_id', '=', entityId)
      .where('action_id', '=', actionId)
      .orderBy('id')
      .forNoKeyUpdate(),
);

const live = (db: Database, companyId: number) =>
  db.selectFrom('webhooks').where('company_id', '=', companyId).where('deleted_at', 'is', null);

/** Increments the sequence of locked webhooks. @returns the new sequence of each */
export async function takeSequences(
  db: Database,
  companyId: number,
  ids: readonly number[],
): Promise<{ id: number; last_sequence: number }[]> {
  return db
    .updateTable('webhooks')
    .set((eb) => ({ last_sequence: eb('last_sequence', '+', 1) }))
    .where('company_id', '=', companyId)
    .where('id', 'in', ids)
    .returning(['id', 'last_sequence'])
    .execute();
}

/**
 * Disables all webhooks of all companies as the operator, including those that the service has disabled. Their
 * deliveries are paused when they become due.
 * @param now milliseconds since 1970
 * @returns the number of webhooks that the operator had not disabled before
 * @throws Error if a webhook is still not disabled
 */
export async function disableAllWebhooks(db: Database, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set({ disabled_at: now, disabled_why: 'operator' })
    .where('deleted_at', 'is', null)
    .where(isNotDisabledByOperator)
    .executeTakeFirst();
  const left = await db
    .selectFrom('webhooks')
    .select('id')
    .where('deleted_at', 'is', null)
    .where(isNotDisabledByOperator)
    .limit(1)
    .executeTakeFirst();
  if (left)
    throw new Error(`Webhook ${left.id} is not disabled, because the database rejected or undid the change.`);
  return Number(numUpdatedRows);
}

// Workers read only `disabled_at`, so a backup can contain webhooks that have a reason but are enabled.
const isNotDisabledByOperator = sql<SqlBool>`(disabled_at is null or disabled_why is null or disabled_why <> 'operator')`;

/** Lists the webhooks of all companies, deleted ones included, for cleanup. */
export function listAllWebhooks(db: Database): Promise<Pick<WebhookRow, 'company_id' | 'id'>[]> {
  return db.selectFrom('webhooks').select(['company_id', 'id']).orderBy('id').execute();
}
