import type { WebhookKey } from '../storage/queue.ts';

/** A webhook that something is due for. */
export interface Candidate extends WebhookKey {
  /** Where it leads to; several webhooks may lead to the same. */
  address: string;
}

/**
 * How many deliveries each webhook gets: one company after the other, each time for the next of its webhooks, until
 * no place is left or no address takes more.
 * @param free how many there may be in all
 * @param room how many an address takes
 */
export function sharesOf(
  candidates: readonly Candidate[],
  free: number,
  room: (address: string) => number,
): (WebhookKey & { share: number })[] {
  const left = new Map(candidates.map(({ address }) => [address, room(address)]));
  const shares = new Map<Candidate, number>();
  const line = [...Map.groupBy(candidates, ({ companyId }) => companyId).values()];
  for (let places = free; places > 0; ) {
    const company = line.shift();
    if (!company) break;
    const candidate = nextOf(company, left);
    if (!candidate) continue;
    left.set(candidate.address, (left.get(candidate.address) ?? 0) - 1);
    shares.set(candidate, (shares.get(candidate) ?? 0) + 1);
    places -= 1;
    company.push(candidate);
    line.push(company);
  }
  return [...shares].map(([{ companyId, webhookId }, share]) => ({ companyId, webhookId, share }));
}

/** Takes the next webhook of a company whose address takes another call; those before it are passed by for good. */
function nextOf(waiting: Candidate[], left: ReadonlyMap<string, number>): Candidate | undefined {
  for (let next = waiting.shift(); next; next = waiting.shift())
    if ((left.get(next.address) ?? 0) > 0) return next;
  return undefined;
}
