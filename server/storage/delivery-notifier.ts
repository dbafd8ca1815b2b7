import type { Database, Store } from './store.ts';

// Database handles on which a transaction has enqueued deliveries.
const marked = new WeakSet<Database>();

/** Marks the current transaction as one that enqueues deliveries. Listeners are notified after its commit. */
export function markDeliveries(db: Database): void {
  marked.add(db);
}

/**
 * Creates the notifier of this process.
 * @param notify notifies other processes, if the database supports it
 */
export function createDeliveryNotifier(notify: () => void = () => {}) {
  const listeners = new Set<() => void>();
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };
  return {
    notifyListeners,
    /** Wraps a write so that listeners are notified after its commit. */
    after:
      (write: Store['write']): Store['write'] =>
      async (work, company) => {
        let hasEnqueued = false;
        const result = await write(async (db) => {
          const done = await work(db);
          // The mark of a failed transaction stays on the handle. Its next transaction notifies the listeners
          // unnecessarily, which costs one poll.
          hasEnqueued = marked.delete(db);
          return done;
        }, company);
        if (hasEnqueued) {
          notifyListeners();
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
