import { StoreUnavailable } from './store.ts';

/**
 * Counts work in flight on a database, so that closing waits for it and rejects later work.
 * @param toStoreError converts an engine's error
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
    /** @returns false if it was closed before */
    close(): boolean {
      const first = open;
      open = false;
      return first;
    },
    /** Resolves when nothing is in flight after closing. */
    ended: (): Promise<void> =>
      new Promise((resolve) => {
        if (inFlight === 0) resolve();
        else idle = resolve;
      }),
    count: (): number => inFlight,
  };
}
