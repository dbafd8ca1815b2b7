/** Limits on requests in flight. */
export interface BulkheadLimits {
  /** Maximum number of fast requests. A request is fast for its first `slowAfterMs` milliseconds. */
  fast: number;
  /** Maximum number of slow requests, in addition to the fast ones. */
  slow: number;
  /**
   * Maximum number of requests per company, fast and slow. A company that reaches it with slow requests alone is blocked:
   * its deliveries are not claimed.
   */
  maxPerCompany: number;
  /** Maximum number of requests per webhook, and of fast requests per origin. */
  maxPerWebhookAndOrigin: number;
  slowAfterMs: number;
}

/** The destination of a request, and the company that it belongs to. */
export interface DeliveryTarget {
  companyId: number;
  webhookId: number;
  /** Scheme, host and port of the URL. Webhooks of several companies may share it. */
  origin: string;
}

interface Window {
  inFlight: number;
  /**
   * Maximum number of requests in flight. It starts at one, grows by one after each success, and returns to one after a
   * failure.
   */
  size: number;
}

/** One request in flight. */
export interface RequestInFlight {
  /** Marks the request as slow. It then moves to a slow slot, but keeps its fast slot until a slow one is free. */
  markSlow(): void;
  /** @param success whether the request succeeded; undefined if no request was made */
  finish(success: boolean | undefined): void;
}

type Lane = 'fast' | 'late' | 'slow';

// Above this number of windows, those of idle webhooks are removed.
const maxKnown = 10_000;

/**
 * Isolates webhooks from each other. Each webhook has its own window, so a receiver that hangs or fails delays only
 * its own webhook. The limit per origin counts only fast requests, so hanging requests take no slots from other
 * webhooks on the same origin.
 */
export function createBulkhead(limits: BulkheadLimits) {
  const windows = new Map<number, Window>();
  const ofCompany = new Map<number, number>();
  const slowOfCompany = new Map<number, number>();
  /** The number of fast requests, by origin and company. */
  const origins = new Map<string, Map<number, number>>();
  // One function for each slow request that still occupies a fast slot, because all slow slots were taken. It moves the
  // request to a slow slot.
  const moveToSlowSlot: (() => void)[] = [];
  let fast = 0;
  let slow = 0;

  const windowOf = (webhookId: number): Window => windows.get(webhookId) ?? { inFlight: 0, size: 1 };

  const windowRoom = (webhookId: number): number => {
    const { inFlight, size } = windowOf(webhookId);
    return Math.max(0, size - inFlight);
  };

  function forgetIdle(): void {
    for (const [webhookId, { inFlight }] of windows) {
      if (windows.size <= maxKnown) return;
      if (inFlight === 0) windows.delete(webhookId);
    }
  }

  function countAtOrigin({ origin, companyId }: DeliveryTarget, change: 1 | -1): void {
    const companies = origins.get(origin) ?? new Map<number, number>();
    origins.set(origin, companies);
    add(companies, companyId, change);
    if (companies.size === 0) origins.delete(origin);
  }

  return {
    /** Returns the number of free fast slots. */
    free: (): number => Math.max(0, limits.fast - fast),
    /** Returns how many requests to an origin may start now. */
    originRoom: (origin: string): number =>
      limits.maxPerWebhookAndOrigin -
      (origins
        .get(origin)
        ?.values()
        .reduce((sum, count) => sum + count, 0) ?? 0),
    /** Returns how many requests of a webhook may start now. */
    windowRoom,
    /** Returns the size of a webhook's window. It exceeds one only after a success. */
    windowSize: (webhookId: number): number => windowOf(webhookId).size,
    /** Returns the number of a company's fast requests to an origin. */
    inFlight: ({ origin, companyId }: DeliveryTarget): number => origins.get(origin)?.get(companyId) ?? 0,
    /** Returns how many requests of a company may start now. */
    companyRoom: (companyId: number): number => limits.maxPerCompany - (ofCompany.get(companyId) ?? 0),
    /** Whether a company has reached its limit with slow requests alone. */
    isBlocked: (companyId: number): boolean => (slowOfCompany.get(companyId) ?? 0) >= limits.maxPerCompany,
    /** Returns the number of requests that occupy slow slots. */
    slow: (): number => slow,
    begin(target: DeliveryTarget): RequestInFlight {
      const { webhookId, companyId } = target;
      const window = windowOf(webhookId);
      windows.set(webhookId, window);
      forgetIdle();
      window.inFlight += 1;
      fast += 1;
      add(ofCompany, companyId, 1);
      countAtOrigin(target, 1);
      let lane: Lane = 'fast';
      const takeSlowSlot = () => {
        lane = 'slow';
        slow += 1;
        fast -= 1;
      };
      return {
        markSlow() {
          if (lane !== 'fast') return;
          add(slowOfCompany, companyId, 1);
          countAtOrigin(target, -1);
          lane = 'late';
          if (slow < limits.slow) takeSlowSlot();
          else moveToSlowSlot.push(takeSlowSlot);
        },
        finish(success) {
          window.inFlight -= 1;
          add(ofCompany, companyId, -1);
          if (lane === 'fast') countAtOrigin(target, -1);
          else add(slowOfCompany, companyId, -1);
          const waiting = moveToSlowSlot.indexOf(takeSlowSlot);
          if (waiting >= 0) moveToSlowSlot.splice(waiting, 1);
          if (lane === 'slow') slow -= 1;
          else fast -= 1;
          if (lane === 'slow') moveToSlowSlot.shift()?.();
          if (success !== undefined)
            window.size = success ? Math.min(limits.maxPerWebhookAndOrigin, window.size + 1) : 1;
          if (window.inFlight === 0 && window.size === 1) windows.delete(webhookId);
        },
      };
    },
  };
}

/** Changes a count, and removes it at zero. */
function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

export type Bulkhead = ReturnType<typeof createBulkhead>;
