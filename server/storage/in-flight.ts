import { StoreUnavailable } from './store.ts';

/**
 * Knows how much is in work on a database, so that closing can wait for it and refuse what comes later.
 * @param explained an engine's error in the words of the store
 */
export function trackWork(explained: (error: unknown) => unknown) {
  let open = true;
  let inWork = 0;
  let idle = () => {};
  return {
    async use<T>(work: () => Promise<T>): Promise<T> {
      if (!open) throw new StoreUnavailable('The database is closed.');
      inWork += 1;
      try {
        return await work();
      } catch (error) {
        throw explained(error);
      } finally {
        inWork -= 1;
        if (inWork === 0) idle();
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
        if (inWork === 0) resolve();
        else idle = resolve;
      }),
    count: (): number => inWork,
  };
}
