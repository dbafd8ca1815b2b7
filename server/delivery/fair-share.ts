import type { WebhookKey } from '../storage/queue-types.ts';

/** A webhook with due deliveries. */
export interface Candidate extends WebhookKey {
  /** Maximum number of deliveries. */
  room: number;
}

/**
 * Allocates capacity to webhooks. Companies take turns, and each company's webhooks take turns, until the capacity is
 * used up or no webhook can take more.
 * @param free maximum number of deliveries
 * @param companyRoom returns the maximum for a company
 */
export function allocateFairly(
  candidates: readonly Candidate[],
  free: number,
  companyRoom: (companyId: number) => number,
): (WebhookKey & { share: number })[] {
  const shares = new Map<Candidate, number>();
  const companiesInTurn = [...Map.groupBy(candidates, ({ companyId }) => companyId)].map(
    ([companyId, webhooks]) => ({
      left: companyRoom(companyId),
      webhooks: webhooks.filter(({ room }) => room > 0),
    }),
  );
  for (let left = free; left > 0; ) {
    const company = companiesInTurn.shift();
    if (!company) break;
    const webhook = company.left > 0 ? company.webhooks.shift() : undefined;
    if (!webhook) continue;
    const share = (shares.get(webhook) ?? 0) + 1;
    shares.set(webhook, share);
    left -= 1;
    company.left -= 1;
    if (share < webhook.room) company.webhooks.push(webhook);
    companiesInTurn.push(company);
  }
  return [...shares].map(([{ companyId, webhookId }, share]) => ({ companyId, webhookId, share }));
}
