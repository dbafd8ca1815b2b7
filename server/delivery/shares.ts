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
 * @param room how many an address takes, from a company
 */
export function sharesOf(
  candidates: readonly Candidate[],
  free: number,
  room: (address: string, company: number) => number,
): (WebhookKey & { share: number })[] {
  const left = new Map<string, number>();
  for (const { address, companyId } of candidates)
    left.set(address, Math.max(left.get(address) ?? 0, room(address, companyId)));
  const shares = new Map<Candidate, number>();
  const line = [
    ...Map.groupBy(
      candidates.filter(({ address, companyId }) => room(address, companyId) > 0),
      ({ companyId }) => companyId,
    ).values(),
  ];
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
