import { Command } from 'commander';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { findDelivery } from '../storage/queries/deliveries.ts';
import { action, parseInteger, requireCompany } from './action.ts';
import { type DeliveryId, deliveryNotFound, parseDeliveryId } from './delivery-id.ts';
import { attemptsOf, describeAttempt, formatDelivery } from './delivery-output.ts';
import { formatMinute, formatTable } from './output.ts';

interface Options {
  company: number;
  delivery: DeliveryId;
  payload?: true;
  json?: true;
}

export const deliveryShow = (): Command =>
  new Command('show')
    .description('Show a delivery and its last attempts.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--delivery <id>', 'delivery ID, as in the webhook-id header', parseDeliveryId)
    .option('--payload', 'also print the event, which may contain personal data')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- delivery show --company 1 --delivery msg_31_118',
    )
    .action(
      action<Options>(async ({ store }, { company, delivery, payload }) => {
        const row = await store.read(async (db) => {
          await requireCompany(db, company);
          return findDelivery(db, company, delivery.webhook, delivery.sequence);
        });
        if (!row) throw deliveryNotFound(company, delivery);
        const facts: [string, string | number | null][] = [
          ['event', row.type],
          ['of', row.data_id],
          ['happened', formatMinute(row.created_at)],
          ['state', row.state],
          ['next attempt', formatMinute(row.due_at)],
          ['replayed', row.replayed === 1 ? 'yes' : 'no'],
        ];
        const attempts = attemptsOf(row).map((each) => [
          each.at,
          describeAttempt(each),
          each.ms,
          each.message ?? each.answer ?? null,
        ]);
        const shown = formatDelivery(row);
        return {
          text: [
            formatTable([shown.id, ''], facts),
            formatTable(['attempt', 'met', 'ms', 'said'], attempts),
            ...(payload ? [replaceControlCharacters(row.payload)] : []),
          ].join('\n\n'),
          json: payload ? { ...shown, payload: JSON.parse(row.payload) } : shown,
        };
      }),
    );
