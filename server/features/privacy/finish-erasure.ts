import { setTimeout as wait } from 'node:timers/promises';
import { deleteErasedDeliveries, listRevokedLeases } from '../../storage/queries/revoked-deliveries.ts';
import { type DeliveryKey, leaseMs } from '../../storage/queue-types.ts';
import type { Store } from '../../storage/store.ts';

export interface WaitOptions {
  /** Called at each poll with the number of deliveries whose requests may be in flight. */
  onWaiting?: (deliveries: number) => void;
  /** Waits this many milliseconds. */
  pause?: (ms: number) => Promise<unknown>;
}

const pollMs = 100;

/**
 * Waits until no request with erased data is in flight, then deletes the rows that erased deliveries have left. Workers
 * release revoked claims when the request has ended, or at their next renewal if it has not begun. Deliveries that are
 * canceled meanwhile do not count: otherwise a company could prevent erasures by deleting webhooks again and again.
 * @param claimed the claimed deliveries of the company that were erased
 * @param now milliseconds since 1970
 * @throws Error if a living worker still holds a lease after the longest time that a request can take, and has renewed it
 */
export async function finishErasure(
  store: Store,
  companyId: number,
  claimed: readonly DeliveryKey[],
  { now, onWaiting, pause = wait }: WaitOptions & { now: number },
): Promise<void> {
  let awaited: Set<string> | undefined;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const revoked = await store.read((db) => listRevokedLeases(db, companyId));
    awaited ??= new Set(revoked.map(nameOf));
    const leases = revoked.filter((lease) => awaited?.has(nameOf(lease)));
    if (leases.length === 0) break;
    if (waitedMs >= leaseMs) {
      // The requests of workers that have lost their leases have ended.
      const held = leases.filter(({ leased_until }) => (leased_until ?? 0) > now + waitedMs);
      if (held.length === 0) break;
      throw new Error(
        `Webhook requests with erased data may still be in flight: workers have not released ${held.length} deliveries within ${leaseMs / 1_000} s. Restart the workers, and run the command again.`,
      );
    }
    onWaiting?.(leases.length);
    await pause(pollMs);
  }
  if (claimed.length > 0)
    await store.write((db) => deleteErasedDeliveries(db, companyId, claimed), companyId);
}

// A delivery that was replayed can be claimed and canceled again.
const nameOf = (lease: Awaited<ReturnType<typeof listRevokedLeases>>[number]): string =>
  `${lease.webhook_id}:${lease.sequence}:${lease.leased_by}`;
