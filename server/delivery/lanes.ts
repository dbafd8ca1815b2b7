/** How many calls there may be at once. */
export interface LaneLimits {
  /** Of those that have just begun. */
  fast: number;
  /** Beside them, of those that have lasted for longer than `patienceMs`. */
  slow: number;
  /** Of a company's calls that last; beyond it, it begins no other. */
  slowEach: number;
  /** To one address. */
  each: number;
  patienceMs: number;
}

interface Address {
  calls: number;
  /** How many calls it gets at once: one more with each success, one alone after a failure. */
  window: number;
}

/** One call that is under way. */
export interface CallUnderWay {
  /** It lasts: whoever is quick does not wait for it. */
  lasts(): void;
  /** @param success undefined where nothing was called after all */
  over(success: boolean | undefined): void;
}

type Lane = 'fast' | 'late' | 'slow';

// What is remembered of addresses that nothing is sent to at the moment.
const mostKnown = 10_000;

/**
 * Gives out the calls that may be made at once, so that an address that hangs or fails holds back itself alone:
 * without a success it has one call at a time, which soon takes none of the places of the others.
 */
export function createLanes(limits: LaneLimits) {
  const addresses = new Map<string, Address>();
  const lastingOf = new Map<number, number>();
  // Calls that last, and for which there was no place beside the others yet.
  const late: (() => void)[] = [];
  let fast = 0;
  let slow = 0;

  const known = (name: string): Address => addresses.get(name) ?? { calls: 0, window: 1 };

  function forgetIdle(): void {
    for (const [name, { calls }] of addresses) {
      if (addresses.size <= mostKnown) return;
      if (calls === 0) addresses.delete(name);
    }
  }

  function count(company: number, more: 1 | -1): void {
    const lasting = (lastingOf.get(company) ?? 0) + more;
    if (lasting > 0) lastingOf.set(company, lasting);
    else lastingOf.delete(company);
  }

  return {
    /** How many calls may begin now. */
    free: (): number => Math.max(0, limits.fast - fast),
    /** How many of them to one address. */
    room(name: string): number {
      const { calls, window } = known(name);
      return Math.max(0, window - calls);
    },
    /** How many calls at once an address gets; more than one where it is known to work. */
    window: (name: string): number => known(name).window,
    /** Whether a company has so many calls that last that it begins no other. */
    isHeld: (company: number): boolean => (lastingOf.get(company) ?? 0) >= limits.slowEach,
    /** How many calls stand beside the quick ones. */
    slow: (): number => slow,
    begin(name: string, company: number): CallUnderWay {
      const address = known(name);
      addresses.set(name, address);
      forgetIdle();
      address.calls += 1;
      fast += 1;
      let lane: Lane = 'fast';
      const stepAside = () => {
        lane = 'slow';
        slow += 1;
        fast -= 1;
      };
      return {
        lasts() {
          if (lane !== 'fast') return;
          count(company, 1);
          lane = 'late';
          if (slow < limits.slow) stepAside();
          else late.push(stepAside);
        },
        over(success) {
          address.calls -= 1;
          if (lane !== 'fast') count(company, -1);
          const waiting = late.indexOf(stepAside);
          if (waiting >= 0) late.splice(waiting, 1);
          if (lane === 'slow') slow -= 1;
          else fast -= 1;
          if (lane === 'slow') late.shift()?.();
          if (success !== undefined) address.window = success ? Math.min(limits.each, address.window + 1) : 1;
          if (address.calls === 0 && address.window === 1) addresses.delete(name);
        },
      };
    },
  };
}

export type Lanes = ReturnType<typeof createLanes>;
