import { sql } from 'kysely';
import type { Database } from '../store.ts';

export const deliveryChannel = 'parley_deliveries';

/**
 * Creates a function that notifies other processes of enqueued deliveries. Call it after the commit, because PostgreSQL
 * serializes the commits of transactions that notify. Polling finds deliveries whose notification was missed.
 */
export function createDeliveryNotify(db: Database): () => void {
  let saying = false;
  let again = false;
  const say = async () => {
    saying = true;
    do {
      again = false;
      await sql`select pg_notify(${deliveryChannel}, '')`.execute(db).catch(() => {});
    } while (again);
    saying = false;
  };
  return () => {
    if (saying) again = true;
    else void say();
  };
}
