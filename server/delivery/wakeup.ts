/** Creates a wake-up signal for one waiting loop. A signal that arrives early is kept. */
export function createWakeup() {
  let given = false;
  let goOn: (() => void) | undefined;
  let soon = false;
  const give = (): void => {
    given = true;
    goOn?.();
  };
  return {
    give,
    /** Wakes up after some milliseconds, or earlier if signalled. */
    giveIn(ms: number): void {
      if (soon) return;
      soon = true;
      setTimeout(() => {
        soon = false;
        give();
      }, ms);
    },
    /** Waits for a signal. @param ms timeout */
    async wait(ms: number): Promise<void> {
      if (!given) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        goOn = resolve;
        await promise;
        goOn = undefined;
        clearTimeout(timer);
      }
      given = false;
    },
  };
}
