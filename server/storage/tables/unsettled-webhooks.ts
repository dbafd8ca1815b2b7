import { defineTable } from './define-table.ts';
import { webhooks } from './webhooks.ts';

/** A webhook whose deliveries do not follow its last change yet. */
export interface UnsettledWebhookTable {
  company_id: number;
  webhook_id: number;
  /** A random number for the change. */
  change: number;
}

export const unsettledWebhooks = defineTable<UnsettledWebhookTable>()({
  parents: [webhooks],
  key: ['webhook_id'],
  isOwned: true,
  exported: { omittedBecause: 'They only say which webhooks have changed.' },
  personalData: null,
  onCitus: 'local',
});
