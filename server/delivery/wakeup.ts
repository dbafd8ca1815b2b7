/** Lets one who waits go on as soon as somebody gives a sign; a sign that nobody waits for is not lost. */
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
    /** The same after some milliseconds, if not before. */
    giveIn(ms: number): void {
      if (soon) return;
      soon = true;
      setTimeout(() => {
        soon = false;
        give();
      }, ms);
    },
    /** @param ms how long to wait where no sign comes */
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
