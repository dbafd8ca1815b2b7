import { type Store, StoreUnavailable } from '../../../server/storage/store.ts';

/** Wraps a store. After `failAfterTokenLookup`, only the next call (the token lookup) works; later ones fail. */
export function createFailingStore() {
  let left = Number.POSITIVE_INFINITY;
  const unlessAway = <T>(work: () => Promise<T>): Promise<T> => {
    left -= 1;
    return left < 0 ? Promise.reject(new StoreUnavailable('The database is unavailable.')) : work();
  };
  return {
    failAfterTokenLookup: () => {
      left = 1;
    },
    storeFor: (store: Store): Store => ({
      read: (work) => unlessAway(() => store.read(work)),
      readSnapshot: (work) => unlessAway(() => store.readSnapshot(work)),
      write: (work, company) => unlessAway(() => store.write(work, company)),
      writeInGroup: (work, company, group) => unlessAway(() => store.writeInGroup(work, company, group)),
      purgeDeleted: () => store.purgeDeleted(),
      checkIntegrity: () => store.checkIntegrity(),
      health: () => store.health(),
      close: () => store.close(),
    }),
  };
}
