/** How many calls there may be at once. */
export interface LaneLimits {
  /** Of those that have just begun. */
  fast: number;
  /** Beside them, of those that have lasted for longer than `patienceMs`. */
  slow: number;
  /** To one address. */
  each: number;
  patienceMs: number;
}

interface Address {
  calls: number;
  slow: number;
  /** How many calls it gets at once: one more with each success, one alone after a failure. */
  window: number;
}

/** One call that is under way. */
export interface CallUnderWay {
  /** It lasts: whoever is quick does not wait for it. */
  lasts(): void;
  over(success: boolean): void;
}

// What is remembered of addresses that nothing is sent to at the moment.
const mostKnown = 10_000;

/**
 * Gives out the calls that may be made at once, so that an address that hangs or fails holds back itself alone: it
 * has one call at a time, which soon takes none of the places of the others.
 */
export function createLanes(limits: LaneLimits) {
  const addresses = new Map<string, Address>();
  let fast = 0;
  let slow = 0;

  const stranger = (): Address => ({ calls: 0, slow: 0, window: 1 });

  function forgetSome(): void {
    for (const [name, { calls, window }] of addresses) {
      if (calls > 0) continue;
      if (window > 1 && addresses.size <= mostKnown) continue;
      addresses.delete(name);
      return;
    }
  }

  return {
    /** How many calls may begin now. */
    free: (): number => Math.max(0, limits.fast - fast),
    /** How many calls last. */
    lasting: (): number => slow,
    /** Whether the last call to an address went well, and none hangs. */
    isProven(name: string): boolean {
      const address = addresses.get(name);
      return address !== undefined && address.window > 1 && address.slow === 0;
    },
    /** How many calls at once an address gets. */
    window: (name: string): number => (addresses.get(name) ?? stranger()).window,
    /** How many calls may begin to one address now. */
    room(name: string): number {
      const { calls, slow: hanging, window } = addresses.get(name) ?? stranger();
      return Math.max(0, (hanging > 0 ? 1 : window) - calls);
    },
    begin(name: string): CallUnderWay {
      const address = addresses.get(name) ?? stranger();
      addresses.set(name, address);
      if (addresses.size > mostKnown) forgetSome();
      address.calls += 1;
      fast += 1;
      let lasting = false;
      return {
        lasts() {
          if (lasting || slow >= limits.slow) return;
          lasting = true;
          address.slow += 1;
          address.window = 1;
          slow += 1;
          fast -= 1;
        },
        over(success) {
          address.calls -= 1;
          if (lasting) {
            address.slow -= 1;
            slow -= 1;
          } else fast -= 1;
          address.window = success ? Math.min(limits.each, address.window + 1) : 1;
          if (address.calls === 0 && address.window === 1) addresses.delete(name);
        },
      };
    },
  };
}

export type Lanes = ReturnType<typeof createLanes>;
