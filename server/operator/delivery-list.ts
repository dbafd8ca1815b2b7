import { Command, Option } from 'commander';
import { messageId } from '../delivery/webhook-request.ts';
import { listDeliveries } from '../storage/queries/deliveries.ts';
import type { DeliveryState } from '../storage/schema.ts';
import { action, parseInteger, parseTimestampOption } from './action.ts';
import { attemptsOf, describeAttempt, formatDelivery } from './delivery-output.ts';
import { formatMinute, formatTable } from './output.ts';
import { requireWebhook, type WebhookOptions, withWebhookArguments } from './webhook-options.ts';

interface Options extends WebhookOptions {
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
  withWebhookArguments(new Command('list'))
    .description('List the deliveries of a webhook with the result of their last attempt, newest first.')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(Object.keys(states)))
    .option('--from <timestamp>', 'only events at or after this time', parseTimestampOption)
    .option('--to <timestamp>', 'only events before this time', parseTimestampOption)
    .option('--limit <count>', 'maximum number of deliveries', parseInteger(1, 10_000), 50)
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
            last ? describeAttempt(last) : null,
            formatMinute(row.due_at),
            formatMinute(row.created_at),
          ];
        });
        return {
          text: formatTable(['id', 'event', 'of', 'state', 'attempts', 'last', 'next', 'happened'], cells),
          json: rows.map(formatDelivery),
        };
      }),
    );
