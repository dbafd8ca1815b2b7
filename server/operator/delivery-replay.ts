import { Option } from 'commander';
import { ApiError } from '../contract/errors.ts';
import { errorResponse } from '../errors.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { eventTypeOf } from '../own-contract/webhook-selectors.ts';
import {
  type DeliverySelection,
  listDeliveryStates,
  replayDeliveries,
} from '../storage/queries/deliveries.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';
import type { Store } from '../storage/store.ts';
import { command, type Ids } from './command.ts';
import { cliIo, UsageError } from './context.ts';
import { type DeliveryId, parseDeliveryId } from './deliveries.ts';
import { parseInteger, type TimeRange, withTimeRange } from './options.ts';
import { requireWebhook } from './webhooks.ts';

interface Options extends Ids<'company'>, TimeRange {
  delivery?: DeliveryId;
  webhook?: number;
  only?: 'exhausted';
}

// Maximum number of deliveries per transaction. Their rows stay locked until it commits.
const partSize = 500;

export const deliveryReplay = command<Options>({
  name: 'delivery replay',
  about: 'Send deliveries again: one, or a selection of a webhook.',
  of: ['company'],
  options: (replay) =>
    withTimeRange(
      replay
        .option('--delivery <id>', 'delivery ID, as in the webhook-id header', parseDeliveryId)
        .option('--webhook <id>', 'webhook whose deliveries are sent again', parseInteger(1)),
      'events',
    ).addOption(
      new Option('--only <state>', 'only deliveries that are exhausted, so that no attempt follows').choices([
        'exhausted',
      ]),
    ),
  notes: `
Replayed deliveries keep their IDs, so receivers that deduplicate drop them, and get all attempts again. Their results do
not affect the webhook's health. Deliveries of an event type that the webhook no longer subscribes to are not sent.`,
  examples: [
    'delivery replay --company 1 --delivery msg_31_118',
    'delivery replay --company 1 --webhook 31 --only exhausted',
    'delivery replay --company 1 --webhook 31 --from 2026-03-02 --to 2026-03-03',
  ],
  async run({ store, now }, options) {
    const { company, delivery, only, from, to } = options;
    const webhookId = chosenWebhook(options);
    const row = await store.read((db) => requireWebhook(db, { company, webhook: webhookId }));
    refuseDisabled(row);
    const type = eventTypeOf(row.entity_id, row.action_id) ?? '';
    const selection: DeliverySelection = {
      ...{ companyId: company, webhookId, from, to, sequence: delivery?.sequence },
      states: only && [only],
    };
    const { progress } = cliIo();
    const replayed = await replayAll(store, selection, {
      ...{ last: row.last_sequence, type, now },
      onProgress: (count, at) => progress.show(`${count} deliveries up to ${formatTimestamp(at)}`),
    });
    if (delivery && replayed === 0)
      throw new ApiError(
        errorResponse('validationFailed', {
          message: `Delivery msg_${webhookId}_${delivery.sequence} cannot be sent again: it does not exist, is being sent, or is not a ${type} event, to which the webhook subscribes now.`,
        }),
      );
    return {
      text: replayed === 1 ? '1 delivery will be sent again.' : `${replayed} deliveries will be sent again.`,
      json: { replayed },
    };
  },
});

/** Returns the webhook that the options name. */
function chosenWebhook({ delivery, webhook, from, to, only }: Options): number {
  if (delivery !== undefined && (webhook ?? from ?? to ?? only) === undefined) return delivery.webhook;
  if (delivery === undefined && webhook !== undefined) return webhook;
  throw new UsageError('Give either --delivery, or --webhook with optional --from, --to and --only.');
}

function refuseDisabled({ id, company_id, disabled_at }: WebhookRow): void {
  if (disabled_at === null) return;
  throw new ApiError(
    errorResponse('validationFailed', {
      message: `Webhook ${id} is disabled. Enable it first: npm run -s parley -- webhook update --company ${company_id} --webhook ${id} --enabled yes`,
    }),
  );
}

/** Replays deliveries in batches, up to the one that was the newest when the command started. */
async function replayAll(
  store: Store,
  selection: DeliverySelection,
  {
    last,
    type,
    now,
    onProgress,
  }: { last: number; type: string; now: () => number; onProgress: (count: number, at: number) => void },
): Promise<number> {
  const { companyId, webhookId } = selection;
  let replayed = 0;
  for (let after = 0; after < last; ) {
    const part = await store.read((db) => listDeliveryStates(db, selection, { after, limit: partSize }));
    const sequences = part.map(({ sequence }) => sequence).filter((sequence) => sequence <= last);
    if (sequences.length === 0) break;
    replayed += await store.write((db) =>
      replayDeliveries(db, companyId, webhookId, { sequences, type, now: now() }),
    );
    after = sequences.at(-1) ?? last;
    onProgress(replayed, part.at(-1)?.created_at ?? 0);
  }
  return replayed;
}
