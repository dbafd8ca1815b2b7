import { StoreUnavailable } from './store.ts';

/**
 * Knows how much is in work on a database, so that closing can wait for it and refuse what comes later.
 * @param toStoreError an engine's error in the words of the store
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
    /** @returns false where it was closed before */
    close(): boolean {
      const first = open;
      open = false;
      return first;
    },
    /** After closing: resolves when nothing is in work any more. */
    ended: (): Promise<void> =>
      new Promise((resolve) => {
        if (inFlight === 0) resolve();
        else idle = resolve;
      }),
    count: (): number => inFlight,
  };
}
