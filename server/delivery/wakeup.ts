import { setTimeout as sleep } from 'node:timers/promises';

/** Creates a wake-up signal for one loop. After an early signal, the next `wait` returns immediately. */
export function createWakeup() {
  let signal = new AbortController();
  let isScheduled = false;
  const give = (): void => signal.abort();
  return {
    give,
    /**
     * Schedules a signal, unless one is scheduled already.
     * @param ms delay
     */
    giveIn(ms: number): void {
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(() => {
        isScheduled = false;
        give();
      }, ms);
    },
    /**
     * Waits for a signal.
     * @param ms timeout
     */
    async wait(ms: number): Promise<void> {
      await sleep(ms, undefined, { signal: signal.signal }).catch(() => {});
      signal = new AbortController();
    },
  };
}
