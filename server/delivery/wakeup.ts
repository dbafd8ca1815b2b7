/** Creates a wake-up signal for one waiting loop. A signal that arrives early is kept. */
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
    /** Wakes up after some milliseconds, or earlier if signalled. */
    giveIn(ms: number): void {
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(() => {
        isScheduled = false;
        give();
      }, ms);
    },
    /** Waits for a signal. @param ms timeout */
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
