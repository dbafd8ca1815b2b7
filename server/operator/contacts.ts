import { Command } from 'commander';
import { notFoundError } from '../errors.ts';
import { deleteContact } from '../features/contacts/delete.ts';
import { parseSearchQuery } from '../features/contacts/search-text.ts';
import { eraseContact } from '../features/privacy/erase-contact.ts';
import { noErasures } from '../features/privacy/erase-entities.ts';
import { presentRow } from '../own-contract/present-row.ts';
import { searchContactRows } from '../storage/queries/contact-search.ts';
import { action, readOfCompanies, requireCompany, writeForCompany } from './action.ts';
import { eraseEntity } from './erase.ts';
import { companyCommand, example, parseInteger } from './options.ts';
import { listOf } from './output.ts';

interface ContactListOptions {
  company?: number;
  email: string;
}

// A company rarely has more contacts with one address.
const maxFound = 100;

export const contactList = (): Command =>
  new Command('list')
    .description('List the contacts with an e-mail address.')
    .requiredOption('--email <address>', 'the whole address, in any case')
    .option('--company <id>', 'only in this company', parseInteger(1))
    .addHelpText(
      'after',
      `\nPrints IDs, and no other personal data.\n${example('contact list --email ada@example.com')}`,
    )
    .action(
      action<ContactListOptions>(async ({ store }, { company, email }) => {
        const address = email.toLowerCase();
        const search = { anyOf: parseSearchQuery(address), limit: maxFound, offset: 0 };
        const found = await readOfCompanies(store, company, async (db, companyId) =>
          (await searchContactRows(db, { companyId, ...search })).filter(
            ({ contact }) => contact.email_address?.toLowerCase() === address,
          ),
        );
        const records = found.map(({ contact: { company_id, id, created_at } }) =>
          presentRow({ company_id, id, created_at }),
        );
        return listOf(records, 'company_id id created_at');
      }),
    );

export const contactDelete = (): Command =>
  companyCommand('delete', 'Delete (hide) a contact. Its conversations stay.', 'contact')
    .addHelpText('after', example('contact delete --company 1 --contact 4'))
    .action(
      action<{ company: number; contact: number }>(async ({ store, now }, { company, contact: id }) => {
        await writeForCompany(store, company, (db) => deleteContact(db, company, id, now()));
        return { text: `Contact ${id} deleted.`, json: { id, state: 'deleted' } };
      }),
    );

const about = `
Also works for a deleted contact. Erases everything about it: conversations and messages, webhook deliveries, stored
responses of idempotency keys, import keys, and the search index. Webhooks for deleted contacts get the contact without personal data. The
files of an embedded database are cleared too; PostgreSQL does that with its next VACUUM. The command waits for webhook
requests in flight that contain erased data, at most 20 s. Not erased: backups, logs of
other systems, and data that webhooks have received.

Example:
  npm run -s parley -- contact erase --company 1 --contact 4`;

export const contactErase = (): Command =>
  companyCommand('erase', 'Erase a contact and everything about it permanently.', 'contact')
    .addHelpText('after', about)
    .action(
      action<{ company: number; contact: number }>(
        async (context, { company, contact: id, json = false }) => {
          const { store } = context;
          await store.read((db) => requireCompany(db, company));
          return eraseEntity(
            context,
            {
              entity: { company_id: company, kind: 'contact', entity_id: id },
              missing: notFoundError(company, 'contact', id),
              erase: (options) => eraseContact(store, company, id, options),
              none: noErasures(),
              describe: (erased) => `: ${formatCounts(erased)}`,
            },
            json,
          );
        },
      ),
    );

/** Formats the numbers of erased rows. Those of 0 are omitted. */
const formatCounts = (erased: Readonly<Record<string, number>>): string =>
  Object.entries(erased)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ');
