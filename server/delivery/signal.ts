/** Lets one who waits go on as soon as somebody gives a sign; a sign that nobody waits for is not lost. */
export function createSignal() {
  let given = false;
  let goOn: (() => void) | undefined;
  return {
    give(): void {
      given = true;
      goOn?.();
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
