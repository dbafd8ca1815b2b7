import { type Store, StoreUnavailable } from '../../../server/storage/store.ts';

/** A store that is there for the token of a request and then, once it is told so, no longer. */
export function fickleStore() {
  let left = Number.POSITIVE_INFINITY;
  const unlessAway = <T>(work: () => Promise<T>): Promise<T> => {
    left -= 1;
    return left < 0 ? Promise.reject(new StoreUnavailable('The database is away.')) : work();
  };
  return {
    leaveAfterToken: () => {
      left = 1;
    },
    storeFor: (store: Store): Store => ({
      read: (work) => unlessAway(() => store.read(work)),
      readTogether: (work) => unlessAway(() => store.readTogether(work)),
      write: (work, company) => unlessAway(() => store.write(work, company)),
      onDeliveries: (listener) => store.onDeliveries(listener),
      scrub: () => store.scrub(),
      inspect: () => store.inspect(),
      load: () => store.load(),
      close: () => store.close(),
    }),
  };
}
