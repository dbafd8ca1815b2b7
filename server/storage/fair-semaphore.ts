import { StoreUnavailable } from './store.ts';

/** Maximum concurrency, in total and per company, and maximum wait. */
export interface FairSemaphoreOptions {
  max: number;
  maxPerCompany: number;
  waitMs: number;
  /** Returns the error for a caller that has waited too long. */
  createTimeoutError?: () => Error;
}

interface Waiting {
  company: number;
  begin: () => void;
}

/**
 * Creates a semaphore that serves companies in turn. Callers of one company are served in order of arrival. If callers
 * of several companies wait, a free slot goes to a different company than the previous slot.
 */
export function createFairSemaphore({
  max,
  maxPerCompany,
  waitMs,
  createTimeoutError = tooManyAtOnce,
}: FairSemaphoreOptions) {
  const inFlight = new Map<number, number>();
  const waiting: Waiting[] = [];
  let all = 0;
  let last = 0;

  const mayBegin = (company: number): boolean => all < max && (inFlight.get(company) ?? 0) < maxPerCompany;

  function begin(company: number): void {
    all += 1;
    last = company;
    inFlight.set(company, (inFlight.get(company) ?? 0) + 1);
  }

  function end(company: number): void {
    all -= 1;
    const left = (inFlight.get(company) ?? 1) - 1;
    if (left > 0) inFlight.set(company, left);
    else inFlight.delete(company);
    const able = waiting.filter((one) => mayBegin(one.company));
    const next = able.find((one) => one.company !== last) ?? able[0];
    if (!next) return;
    waiting.splice(waiting.indexOf(next), 1);
    begin(next.company);
    next.begin();
  }

  function turn(company: number): Promise<void> {
    if (mayBegin(company)) {
      begin(company);
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { company, begin: () => resolve(clearTimeout(patience)) };
    const patience = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1);
      reject(createTimeoutError());
    }, waitMs);
    waiting.push(one);
    return promise;
  }

  /** Waits for a slot, then runs the work of a company. */
  async function inTurn<T>(company: number, work: () => Promise<T>): Promise<T> {
    await turn(company);
    try {
      return await work();
    } finally {
      end(company);
    }
  }

  return Object.assign(inTurn, { waiting: () => waiting.length });
}

const tooManyAtOnce = (): Error => new StoreUnavailable('Too many database operations wait already.');
