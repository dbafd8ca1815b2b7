import { Command } from 'commander';
import { printable } from '../lib/terminal.ts';
import { findDelivery } from '../storage/queries/deliveries.ts';
import { action, requireCompany, wholeNumber } from './action.ts';
import { type DeliveryName, deliveryFrom, noSuchDelivery } from './delivery-id.ts';
import { attemptsOf, shownDelivery, wordsFor } from './delivery-output.ts';
import { minute, table } from './output.ts';

interface Options {
  company: number;
  delivery: DeliveryName;
  payload?: true;
  json?: true;
}

export const deliveryShow = (): Command =>
  new Command('show')
    .description('Show a delivery and each of its last attempts.')
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .requiredOption('--delivery <id>', 'the delivery, as webhook-id names it', deliveryFrom)
    .option('--payload', 'with the event itself, in which people may have written')
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
        if (!row) throw noSuchDelivery(company, delivery);
        const facts: [string, string | number | null][] = [
          ['event', row.type],
          ['of', row.data_id],
          ['happened', minute(row.created_at)],
          ['state', row.state],
          ['next attempt', minute(row.due_at)],
          ['replayed', row.replayed === 1 ? 'yes' : 'no'],
        ];
        const attempts = attemptsOf(row).map((each) => [
          each.at,
          wordsFor(each),
          each.ms,
          each.message ?? each.answer ?? null,
        ]);
        const shown = shownDelivery(row);
        return {
          text: [
            table([shown.id, ''], facts),
            table(['attempt', 'met', 'ms', 'said'], attempts),
            ...(payload ? [printable(row.payload)] : []),
          ].join('\n\n'),
          json: payload ? { ...shown, payload: JSON.parse(row.payload) } : shown,
        };
      }),
    );
