import { Command } from 'commander';
import { eventTypeOf } from '../contract/event.ts';
import { verbOf } from '../contract/facts.ts';
import { timestamp } from '../contract/timestamp.ts';
import { listWebhooks } from '../storage/webhooks.ts';
import { table } from './output.ts';
import { action, requireCompany, wholeNumber } from './run.ts';

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
        const eventOf = ({ entity_id, action_id }: (typeof webhooks)[number]) =>
          eventTypeOf(entity_id, action_id) ?? null;
        return {
          text: table(
            ['id', 'event', 'events', 'verb', 'url'],
            webhooks.map((row) => [row.id, eventOf(row), row.last_sequence, verbOf(row.verb_id), row.url]),
          ),
          json: webhooks.map((row) => ({
            id: row.id,
            company_id: row.company_id,
            verb_id: row.verb_id,
            entity_id: row.entity_id,
            action_id: row.action_id,
            event: eventOf(row),
            url: row.url,
            automation_id: row.automation_id,
            last_sequence: row.last_sequence,
            created_at: timestamp(row.created_at),
            updated_at: timestamp(row.updated_at),
          })),
        };
      }),
    );
