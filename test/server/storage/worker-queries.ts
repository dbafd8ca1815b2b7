import {
  expireLeases,
  findClaimed,
  findDue,
  hasDueDeliveries,
  leaseDeliveries,
  listEnabled,
  listRevoked,
  listWaiting,
  recordOutcomes,
} from '../../../server/storage/queries/delivery-queue.ts';
import type { Store } from '../../../server/storage/store.ts';

/** Runs every query that a worker sends to the delivery queue, with a current time of 9 ms. */
export const runWorkerQueries = (store: Store): Promise<void> =>
  store.write(async (db) => {
    await hasDueDeliveries(db, 9);
    await expireLeases(db, 9);
    const waiting = await listWaiting(db, { companyId: 0, webhookId: 0 }, 20);
    await listEnabled(db, waiting);
    const due = await findDue(
      db,
      waiting.map((key) => ({ ...key, share: 2 })),
      9,
    );
    await leaseDeliveries(db, due, { worker: 'w', until: 100 });
    await findClaimed(db, 'w', due);
    await listRevoked(db, 'w');
    const settlements = due.map(({ companyId, webhookId, sequence }) => ({
      companyId,
      webhookId,
      sequence,
      state: 'delivered' as const,
      dueAt: null,
      attempts: 1,
      log: '[]',
    }));
    await recordOutcomes(db, 'w', settlements);
  });
