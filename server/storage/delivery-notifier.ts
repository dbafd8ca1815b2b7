import type { Database, Store } from './store.ts';

// Handles whose work has left something to be sent. Those of PostgreSQL live as long as a transaction.
const marked = new WeakSet<Database>();

/** Says, inside of a transaction, that there will be something to send after its commit. */
export function markDeliveries(db: Database): void {
  marked.add(db);
}

/**
 * Knows who waits for deliveries in this process.
 * @param notify tells the other processes, where the database can
 */
export function createDeliveryNotifier(notify: () => void = () => {}) {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    tell,
    /** A write that tells of deliveries after its commit. */
    after:
      (write: Store['write']): Store['write'] =>
      async (work, company) => {
        let notifier = false;
        const result = await write(async (db) => {
          const done = await work(db);
          // What a work that failed has marked is taken for news of the next one: a look too many.
          notifier = marked.delete(db);
          return done;
        }, company);
        if (notifier) {
          tell();
          notify();
        }
        return result;
      },
    listen(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
