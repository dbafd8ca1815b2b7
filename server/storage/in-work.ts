import { StoreUnavailable } from './store.ts';

/**
 * Knows what is in work on a database, so that closing can wait for it and refuse what comes later.
 * @param explained an engine's error in the words of the store
 */
export function trackWork(explained: (error: unknown) => unknown) {
  let open = true;
  const inWork = new Set<Promise<unknown>>();
  return {
    async use<T>(work: () => Promise<T>): Promise<T> {
      if (!open) throw new StoreUnavailable('The database is closed.');
      const working = work();
      const over = working.catch(() => {});
      inWork.add(over);
      try {
        return await working;
      } catch (error) {
        throw explained(error);
      } finally {
        inWork.delete(over);
      }
    },
    /** @returns false where it was closed before */
    close(): boolean {
      const first = open;
      open = false;
      return first;
    },
    ended: () => Promise.all(inWork),
    count: (): number => inWork.size,
  };
}
