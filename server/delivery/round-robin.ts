import type { WebhookKey } from '../storage/queue-types.ts';

const beginning: WebhookKey = { companyId: 0, webhookId: 0 };

/**
 * Remembers whose turn it was, so that the next look into the queue begins behind it: with the next company, and in
 * each company with the next webhook.
 */
export function createRoundRobin() {
  let behind = beginning;
  const lastOf = new Map<number, number>();
  return {
    /** Behind which webhook the next look begins. */
    begin: (): WebhookKey => behind,
    /** The webhooks of a company that come after its last one stand before the others. */
    inTurn: <Key extends WebhookKey>(keys: readonly Key[]): Key[] =>
      [...Map.groupBy(keys, ({ companyId }) => companyId)].flatMap(([companyId, own]) => {
        const last = lastOf.get(companyId) ?? 0;
        return [
          ...own.filter(({ webhookId }) => webhookId > last),
          ...own.filter(({ webhookId }) => webhookId <= last),
        ];
      }),
    /** @param served the webhooks that got something, in the order of their turns @param seen the last one looked at */
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
      // Behind all webhooks of the company.
      if (last) behind = { companyId: last.companyId, webhookId: Number.MAX_SAFE_INTEGER };
      else behind = seen ?? beginning;
    },
  };
}

// A company that is forgotten begins with its first webhook.
const maxRemembered = 10_000;

export type RoundRobin = ReturnType<typeof createRoundRobin>;
