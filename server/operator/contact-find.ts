import { Command } from 'commander';
import { parseSearchQuery } from '../features/contacts/search-text.ts';
import { searchContactRows } from '../storage/queries/contact-search.ts';
import { action, parseInteger, readOfCompanies } from './action.ts';
import { formatMinute, formatTable } from './output.ts';

interface Options {
  company?: number;
  email: string;
  json?: true;
}

// A company rarely has more contacts with one address.
const maxFound = 100;

export const contactFind = (): Command =>
  new Command('find')
    .description('Find the contacts with an e-mail address.')
    .requiredOption('--email <address>', 'the whole address, in any case')
    .option('--company <id>', 'only in this company', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nPrints IDs, and no other personal data.\n\nExample:\n  npm run -s parley -- contact find --email ada@example.com',
    )
    .action(
      action<Options>(async ({ store }, { company, email }) => {
        const address = email.toLowerCase();
        const search = { anyOf: parseSearchQuery(address), limit: maxFound, offset: 0 };
        const found = await readOfCompanies(store, company, async (db, companyId) =>
          (await searchContactRows(db, { companyId, ...search })).filter(
            ({ contact }) => contact.email_address?.toLowerCase() === address,
          ),
        );
        return {
          text: formatTable(
            ['company', 'id', 'created'],
            found.map(({ contact }) => [contact.company_id, contact.id, formatMinute(contact.created_at)]),
          ),
          json: found.map(({ contact }) => ({ company_id: contact.company_id, id: contact.id })),
        };
      }),
    );
