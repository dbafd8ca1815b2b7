import { Command, Option } from 'commander';
import { messageId } from '../delivery/webhook-request.ts';
import { listDeliveries } from '../storage/queries/deliveries.ts';
import { listWebhooks } from '../storage/queries/webhooks.ts';
import type { DeliveryState } from '../storage/schema.ts';
import { action, parseInteger, parseTimestampOption, readOfCompanies, UsageError } from './action.ts';
import { attemptsOf, describeAttempt, formatDelivery } from './delivery-output.ts';
import { formatMinute, formatTable } from './output.ts';
import { requireWebhook } from './webhook-options.ts';

interface Options {
  company?: number;
  webhook?: number;
  json?: true;
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
  new Command('list')
    .description('List deliveries with the result of their last attempt, newest first.')
    .option('--company <id>', 'only those of this company', parseInteger(1))
    .option('--webhook <id>', 'only those of this webhook; needs --company', parseInteger(1))
    .option('--json', 'print JSON')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(Object.keys(states)))
    .option('--from <timestamp>', 'only events at or after this time', parseTimestampOption)
    .option('--to <timestamp>', 'only events before this time', parseTimestampOption)
    .option('--limit <count>', 'maximum number of deliveries', parseInteger(1, 10_000), 50)
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s parley -- delivery list --state exhausted\n  npm run -s parley -- delivery list --company 1 --webhook 31\n' +
        '  npm run -s parley -- delivery list --company 1 --webhook 31 --state exhausted --from 2026-03-02',
    )
    .action(
      action<Options>(async ({ store }, { company, webhook, state, from, to, limit }) => {
        if (webhook !== undefined && company === undefined)
          throw new UsageError('--webhook needs --company.');
        const found = await readOfCompanies(store, company, async (db, companyId) => {
          const webhooks =
            webhook === undefined
              ? await listWebhooks(db, companyId)
              : [await requireWebhook(db, { company: companyId, webhook })];
          const lists = [];
          for (const { id: webhookId } of webhooks) {
            const selection = { companyId, webhookId, states: state && [state], from, to };
            lists.push(await listDeliveries(db, selection, { limit, newest: true }));
          }
          return lists.flat();
        });
        const rows = found
          .sort((one, other) => other.created_at - one.created_at || other.sequence - one.sequence)
          .slice(0, limit);
        const cells = rows.map((row) => {
          const last = attemptsOf(row).at(-1);
          return [
            row.company_id,
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
          text: formatTable(
            ['company', 'id', 'event', 'of', 'state', 'attempts', 'last', 'next', 'happened'],
            cells,
          ),
          json: rows.map(formatDelivery),
        };
      }),
    );
