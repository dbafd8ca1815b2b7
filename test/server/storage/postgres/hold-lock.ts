import type { Database, Store } from '../../../../server/storage/store.ts';

/** Takes a lock in a write that stays open. @returns a function that releases it */
export async function holdLock(store: Store, lock: (db: Database) => Promise<unknown>) {
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = store.write(async (db) => {
    await lock(db);
    held.resolve();
    await over.promise;
  });
  await held.promise;
  return async () => {
    over.resolve();
    await holding;
  };
}
