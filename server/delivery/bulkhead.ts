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

/** One request in flight. */
interface RequestInFlight {
  /** Marks the request as slow. It then no longer counts as fast, unless all slow slots are taken. */
  markSlow(): void;
  /** @param success whether the request succeeded; undefined if no request was made */
  finish(success: boolean | undefined): void;
}

// Above this number of known windows, the window of the webhook that finished a request least recently returns to one.
const maxKnown = 10_000;

/**
 * Isolates webhooks from each other. Each webhook has its own window, so a receiver that hangs or fails delays only
 * its own webhook. The limit per origin counts only fast requests, so hanging requests take no slots from other
 * webhooks on the same origin.
 */
export function createBulkhead(limits: BulkheadLimits) {
  const ofWebhook = createCounts<number>();
  const ofCompany = createCounts<number>();
  const slowOfCompany = createCounts<number>();
  /** The number of fast requests by origin, and by origin and company. */
  const atOrigin = createCounts<string>();
  const ofCompanyAtOrigin = createCounts<string>();
  /**
   * The maximum number of requests in flight by webhook. It starts at one, grows by one after each success, and returns to
   * one after a failure.
   */
  const windowSizes = new Map<number, number>();
  let fast = 0;
  let slow = 0;

  const windowSize = (webhookId: number): number => windowSizes.get(webhookId) ?? 1;
  const windowRoom = (webhookId: number): number =>
    Math.max(0, windowSize(webhookId) - ofWebhook.of(webhookId));
  const originRoom = (origin: string): number => limits.maxPerWebhookAndOrigin - atOrigin.of(origin);

  function countFast({ origin, companyId }: DeliveryTarget, change: 1 | -1): void {
    fast += change;
    atOrigin.add(origin, change);
    ofCompanyAtOrigin.add(`${companyId} ${origin}`, change);
  }

  function resizeWindow(webhookId: number, size: number): void {
    windowSizes.delete(webhookId);
    if (size > 1) windowSizes.set(webhookId, size);
    const [oldest] = windowSizes.keys();
    if (windowSizes.size > maxKnown && oldest !== undefined) windowSizes.delete(oldest);
  }

  return {
    /** Returns the number of free fast slots. Slow requests that exceed the slow slots take fast ones. */
    free: (): number => Math.max(0, limits.fast - fast - Math.max(0, slow - limits.slow)),
    /** Returns the number of requests that occupy slow slots. */
    slow: (): number => Math.min(slow, limits.slow),
    /** Returns how many requests to an origin may start now. */
    originRoom,
    /** Returns how many requests of a webhook may start now. */
    windowRoom,
    /** Returns the size of a webhook's window. It exceeds one only after a success. */
    windowSize,
    /** Whether a request may start now, if a fast slot is free. */
    mayStart: ({ webhookId, companyId, origin }: DeliveryTarget): boolean =>
      windowRoom(webhookId) > 0 && originRoom(origin) > 0 && ofCompany.of(companyId) < limits.maxPerCompany,
    /** Returns the number of a company's fast requests to an origin. */
    inFlight: ({ origin, companyId }: DeliveryTarget): number =>
      ofCompanyAtOrigin.of(`${companyId} ${origin}`),
    /** Whether a company has reached its limit with slow requests alone. */
    isBlocked: (companyId: number): boolean => slowOfCompany.of(companyId) >= limits.maxPerCompany,
    begin(target: DeliveryTarget): RequestInFlight {
      const { webhookId, companyId } = target;
      let isSlow = false;
      ofWebhook.add(webhookId, 1);
      ofCompany.add(companyId, 1);
      countFast(target, 1);
      const countSlow = (change: 1 | -1) => {
        slow += change;
        slowOfCompany.add(companyId, change);
      };
      return {
        markSlow() {
          if (isSlow) return;
          isSlow = true;
          countFast(target, -1);
          countSlow(1);
        },
        finish(success) {
          ofWebhook.add(webhookId, -1);
          ofCompany.add(companyId, -1);
          if (isSlow) countSlow(-1);
          else countFast(target, -1);
          if (success === undefined) return;
          const grown = Math.min(limits.maxPerWebhookAndOrigin, windowSize(webhookId) + 1);
          resizeWindow(webhookId, success ? grown : 1);
        },
      };
    },
  };
}

/** Creates counts by key. Those of 0 take no memory. */
export function createCounts<Key>() {
  const counts = new Map<Key, number>();
  const of = (key: Key): number => counts.get(key) ?? 0;
  return {
    of,
    add(key: Key, change: 1 | -1): void {
      const count = of(key) + change;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}
