import { Command } from 'commander';
import { httpMethodOf } from '../own-contract/webhook-selectors.ts';
import { listWebhooks, type WebhookRow } from '../storage/queries/webhooks.ts';
import { action, parseInteger, readOfCompanies } from './action.ts';
import { formatTable } from './output.ts';
import { eventOf, formatWebhook, webhookState } from './webhook-output.ts';

interface Options {
  company?: number;
  failing?: true;
  json?: true;
}

const isFailing = ({ failing_since, disabled_at, disabled_why }: WebhookRow): boolean =>
  failing_since !== null || (disabled_at !== null && disabled_why !== 'operator');

export const webhookList = (): Command =>
  new Command('list')
    .description('List webhooks, without their secrets.')
    .option('--company <id>', 'only those of this company', parseInteger(1))
    .option('--failing', 'only those that fail, or that the service has disabled')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s parley -- webhook list --company 1\n  npm run -s parley -- webhook list --failing',
    )
    .action(
      action<Options>(async ({ store }, { company, failing }) => {
        const all = await readOfCompanies(store, company, listWebhooks);
        const webhooks = failing ? all.filter(isFailing) : all;
        const cells = webhooks.map((row) => [
          row.company_id,
          row.id,
          eventOf(row),
          webhookState(row),
          row.last_sequence,
          row.created_by_token,
          row.updated_by_token,
          httpMethodOf(row.verb_id),
          row.url,
        ]);
        return {
          text: formatTable(
            ['company', 'id', 'event', 'state', 'events', 'created by', 'changed by', 'verb', 'url'],
            cells,
          ),
          json: webhooks.map(formatWebhook),
        };
      }),
    );
