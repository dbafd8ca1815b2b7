import { Command, Option } from 'commander';
import { messageId } from '../delivery/webhook-request.ts';
import { listDeliveries } from '../storage/queries/deliveries.ts';
import type { DeliveryState } from '../storage/schema.ts';
import { action, momentFrom, wholeNumber } from './action.ts';
import { attemptsOf, shownDelivery, wordsFor } from './delivery-output.ts';
import { minute, table } from './output.ts';
import { aboutWebhook, requireWebhook, type WebhookPlace } from './webhook-options.ts';

interface Options extends WebhookPlace {
  state?: DeliveryState;
  from?: number;
  to?: number;
  limit: number;
}

const states: Record<DeliveryState, true> = {
  waiting: true,
  held: true,
  delivered: true,
  exhausted: true,
  ended: true,
};

export const deliveryList = (): Command =>
  aboutWebhook(new Command('list'))
    .description('List the deliveries of a webhook, the newest first, with how their last attempt went.')
    .addOption(new Option('--state <state>', 'only those that are so').choices(Object.keys(states)))
    .option('--from <moment>', 'only those that happened at or after it', momentFrom)
    .option('--to <moment>', 'only those that happened before it', momentFrom)
    .option('--limit <count>', 'how many at the most', wholeNumber(1, 10_000), 50)
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s parley -- delivery list --company 1 --webhook 31\n' +
        '  npm run -s parley -- delivery list --company 1 --webhook 31 --state exhausted --from 2026-03-02',
    )
    .action(
      action<Options>(async ({ store }, { company, webhook, state, from, to, limit }) => {
        const rows = await store.read(async (db) => {
          await requireWebhook(db, { company, webhook });
          const selection = { companyId: company, webhookId: webhook, states: state && [state], from, to };
          return listDeliveries(db, selection, { limit, newest: true });
        });
        const cells = rows.map((row) => {
          const last = attemptsOf(row).at(-1);
          return [
            messageId(row.webhook_id, row.sequence),
            row.type,
            row.data_id,
            row.state,
            row.attempts,
            last ? wordsFor(last) : null,
            minute(row.due_at),
            minute(row.created_at),
          ];
        });
        return {
          text: table(['id', 'event', 'of', 'state', 'attempts', 'last', 'next', 'happened'], cells),
          json: rows.map(shownDelivery),
        };
      }),
    );
