/** Creates a wake-up signal for one loop. After an early signal, the next `wait` returns immediately. */
export function createWakeup() {
  let isSignalled = false;
  let resume: (() => void) | undefined;
  let isScheduled = false;
  const give = (): void => {
    isSignalled = true;
    resume?.();
  };
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
      if (!isSignalled) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        resume = resolve;
        await promise;
        resume = undefined;
        clearTimeout(timer);
      }
      isSignalled = false;
    },
  };
}
