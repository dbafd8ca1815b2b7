import { StoreUnavailable } from './store.ts';

/**
 * Tracks the work in flight on a database. After `close`, new work is rejected, and `ended` waits for the remaining
 * work.
 * @param toStoreError converts an error of the engine to an error of the store
 */
export function trackInFlight(toStoreError: (error: unknown) => unknown) {
  let open = true;
  let inFlight = 0;
  let idle = () => {};
  return {
    async use<T>(work: () => Promise<T>): Promise<T> {
      if (!open) throw new StoreUnavailable('The database is closed.');
      inFlight += 1;
      try {
        return await work();
      } catch (error) {
        throw toStoreError(error);
      } finally {
        inFlight -= 1;
        if (inFlight === 0) idle();
      }
    },
    isOpen: (): boolean => open,
    /** Rejects new work from now on. @returns false if `close` was called before */
    close(): boolean {
      const first = open;
      open = false;
      return first;
    },
    /** Resolves when no work is in flight. Call it after `close`. */
    ended: (): Promise<void> =>
      new Promise((resolve) => {
        if (inFlight === 0) resolve();
        else idle = resolve;
      }),
  };
}
