import type { Violation } from '../check-result.ts';
import type { SentRequest } from '../service-watch.ts';

/** A violation and the request that showed it. */
export interface Found {
  tried: SentRequest;
  violation: Violation;
}
