import { defineTable } from './define-table.ts';
import { deliveries } from './deliveries.ts';

export interface DeliveryPayloadTable {
  company_id: number;
  webhook_id: number;
  sequence: number;
  /** The full payload of the event as JSON, fixed when the event occurred. The short form is derived from it. */
  payload: string;
}

export const deliveryPayloads = defineTable<DeliveryPayloadTable>()({
  parents: [deliveries],
  key: ['webhook_id', 'sequence'],
  isOwned: true,
  exported: { omittedBecause: 'They are copies of exported data.' },
  personalData: 'of other rows',
  onCitus: 'local',
});
