import { Command } from 'commander';
import { httpMethodOf } from '../contract/webhook-selectors.ts';
import { listWebhooks } from '../storage/queries/webhooks.ts';
import { action, parseInteger, requireCompany } from './action.ts';
import { formatTable } from './output.ts';
import { eventOf, formatWebhook, webhookState } from './webhook-output.ts';

export const webhookList = (): Command =>
  new Command('list')
    .description("List a company's webhooks, without their secrets.")
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- webhook list --company 1')
    .action(
      action<{ company: number; json?: true }>(async ({ store }, { company }) => {
        const webhooks = await store.read(async (db) => {
          await requireCompany(db, company);
          return listWebhooks(db, company);
        });
        const cells = webhooks.map((row) => [
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
            ['id', 'event', 'state', 'events', 'created by', 'changed by', 'verb', 'url'],
            cells,
          ),
          json: webhooks.map(formatWebhook),
        };
      }),
    );
