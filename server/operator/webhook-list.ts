import { Command } from 'commander';
import { verbOf } from '../contract/constants.ts';
import { listWebhooks } from '../storage/queries/webhooks.ts';
import { action, requireCompany, wholeNumber } from './action.ts';
import { table } from './output.ts';
import { eventOf, shownWebhook, switchOf } from './webhook-output.ts';

export const webhookList = (): Command =>
  new Command('list')
    .description("List a company's webhooks, without their secrets.")
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
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
          switchOf(row),
          row.last_sequence,
          row.created_by_token,
          row.updated_by_token,
          verbOf(row.verb_id),
          row.url,
        ]);
        return {
          text: table(['id', 'event', 'state', 'events', 'created by', 'changed by', 'verb', 'url'], cells),
          json: webhooks.map(shownWebhook),
        };
      }),
    );
