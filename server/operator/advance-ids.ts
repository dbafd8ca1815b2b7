import { Command, InvalidArgumentError } from 'commander';
import { advanceIds } from '../storage/queries/advance-ids.ts';
import { action } from './action.ts';

/** More IDs than a service assigns between two backups. */
export const defaultAdvance = 1_000_000;
const maxAdvance = 1_000_000_000_000;

export const advanceIdsCommand = (): Command =>
  new Command('advance-ids')
    .description('After a restore, skip the IDs that were assigned after the backup.')
    .option('--by <count>', 'how many IDs to skip', parseCount, defaultAdvance)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A restored database assigns IDs and sequence numbers again that it had assigned after the backup. Receivers of webhooks then
drop new events, because they know their webhook-id, and other systems confuse new entities with lost ones. This command
makes all IDs and the sequence of every webhook continue further up. Run it before the service starts. Restoring the
embedded database does it already: from the replaced database, or by ${defaultAdvance.toLocaleString('en')} if that cannot be read.

Receivers see a gap in meta.sequence, as after lost events.

Example:
  npm run -s parley -- advance-ids`,
    )
    .action(
      action<{ by: number; json?: true }>(async ({ store }, { by }) => {
        const { webhooks } = await store.write((db) => advanceIds(db, by));
        return {
          text: `New IDs continue ${by.toLocaleString('en')} above the highest ones. Sequences of webhooks advanced: ${webhooks}.`,
          json: { by, webhooks },
        };
      }),
    );

function parseCount(text: string): number {
  if (/^[1-9]\d{0,12}$/.test(text) && Number(text) <= maxAdvance) return Number(text);
  throw new InvalidArgumentError('It must be an integer from 1 to 1,000,000,000,000.');
}
