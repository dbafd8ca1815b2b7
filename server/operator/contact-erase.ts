import { Command } from 'commander';
import { notFoundError } from '../errors.ts';
import { type ErasureCounts, eraseContact } from '../privacy/erase-contact.ts';
import { isKept } from '../storage/queries/erasure.ts';
import { recordErasure } from '../storage/queries/erasures.ts';
import { action, parseInteger, requireCompany } from './action.ts';
import { cliIo } from './cli-io.ts';

const about = `
The contact may have been deleted before. With it go its conversations, their messages, what was to be sent or was
sent to webhooks of all of these, the keys and answers that were kept for creations, the keys of imports, and what the
search knew. Webhooks that wait for deleted contacts are told its number, and nothing else. Of an embedded database the
file and its log are cleared as well; PostgreSQL does that with its next VACUUM. Backups, logs of others, and what
webhooks have taken before are not reached.

Example:
  npm run -s parley -- contact erase --company 1 --contact 4`;

export const contactErase = (): Command =>
  new Command('erase')
    .description('Erase a contact for good, with everything that was said with it.')
    .requiredOption('--company <id>', 'the company', parseInteger(1))
    .requiredOption('--contact <id>', 'the contact', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText('after', about)
    .action((options) =>
      action<{ company: number; contact: number; json?: true }>(
        async ({ store, now }, { company, contact: id, json = false }) => {
          const isThere = await store.read(async (db) => {
            await requireCompany(db, company);
            return isKept(db, company, 'contact', id);
          });
          if (!isThere) {
            // An earlier run may have been interrupted before this.
            await store.purgeDeleted();
            throw notFoundError(company, 'contact', id);
          }
          const progress = cliIo().stderr.progress(json);
          try {
            progress.show('rows');
            await store.write((db) =>
              recordErasure(db, { company_id: company, kind: 'contact', entity_id: id, erased_at: now() }),
            );
            const erased = await eraseContact(store, company, id, { now: now() });
            progress.show('file');
            const isScrubbed = await store.purgeDeleted();
            return {
              text: `Contact ${id} erased: ${formatErasureCounts(erased)}.${isScrubbed ? '' : ' Its rows leave the files with the next VACUUM.'}`,
              json: { id, state: 'erased', erased, files: isScrubbed ? 'cleared' : 'with the next VACUUM' },
            };
          } finally {
            progress.end();
          }
        },
      )(options),
    );

/** Formats the counts of an erasure. */
export const formatErasureCounts = (erased: ErasureCounts): string =>
  Object.entries(erased)
    .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ');
