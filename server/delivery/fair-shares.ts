import type { WebhookKey } from '../storage/queue-types.ts';

/** A webhook with due deliveries. */
export interface Candidate extends WebhookKey {
  /** Maximum number of deliveries. */
  room: number;
}

/**
 * Allocates capacity to webhooks. Companies take turns, and each company's webhooks take turns. A company gets more only
 * while it has less than what is left. So others can still claim some, regardless of how many companies want everything.
 * @param free maximum number of deliveries
 * @param claimedOf returns how many deliveries a company has already
 */
export function allocateFairly(
  candidates: readonly Candidate[],
  free: number,
  claimedOf: (companyId: number) => number,
): (WebhookKey & { share: number })[] {
  const shares = new Map<Candidate, number>();
  const companiesInTurn = [...Map.groupBy(candidates, ({ companyId }) => companyId)].map(
    ([companyId, webhooks]) => ({
      claimed: claimedOf(companyId),
      webhooks: webhooks.filter(({ room }) => room > 0),
    }),
  );
  for (let left = free; left > 0; ) {
    const company = companiesInTurn.shift();
    if (!company) break;
    const webhook = company.claimed < left ? company.webhooks.shift() : undefined;
    if (!webhook) continue;
    const share = (shares.get(webhook) ?? 0) + 1;
    shares.set(webhook, share);
    left -= 1;
    company.claimed += 1;
    if (share < webhook.room) company.webhooks.push(webhook);
    companiesInTurn.push(company);
  }
  return [...shares].map(([{ companyId, webhookId }, share]) => ({ companyId, webhookId, share }));
}

const beginning: WebhookKey = { companyId: 0, webhookId: 0 };

/**
 * Serves companies in turn, and the webhooks of each company in turn. Each claim continues where the last one ended.
 */
export function createRoundRobin() {
  let cursor = beginning;
  const lastOf = new Map<number, number>();
  return {
    /** Returns the webhook after which the next claim begins. */
    begin: (): WebhookKey => cursor,
    /** Groups webhooks by company. In each group, those after the webhook that was served last come first. */
    inTurn: <Key extends WebhookKey>(keys: readonly Key[]): Key[] =>
      [...Map.groupBy(keys, ({ companyId }) => companyId)].flatMap(([companyId, own]) => {
        const last = lastOf.get(companyId) ?? 0;
        return [
          ...own.filter(({ webhookId }) => webhookId > last),
          ...own.filter(({ webhookId }) => webhookId <= last),
        ];
      }),
    /**
     * Records a claim.
     * @param served the webhooks whose deliveries were claimed, in order
     * @param seen the last webhook that was visited
     */
    note(served: readonly WebhookKey[], seen: WebhookKey | undefined): void {
      for (const { companyId, webhookId } of served) {
        lastOf.delete(companyId);
        lastOf.set(companyId, webhookId);
      }
      for (const [companyId] of lastOf) {
        if (lastOf.size <= maxRemembered) break;
        lastOf.delete(companyId);
      }
      const last = served.at(-1);
      // The next claim begins after the company's last webhook, that is, with the next company.
      if (last) cursor = { companyId: last.companyId, webhookId: Number.MAX_SAFE_INTEGER };
      else cursor = seen ?? beginning;
    },
  };
}

// Number of companies whose last served webhook is remembered. Other companies start with their first webhook.
const maxRemembered = 10_000;

export type RoundRobin = ReturnType<typeof createRoundRobin>;
