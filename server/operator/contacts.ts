import { notFoundError } from '../errors.ts';
import { deleteContact } from '../features/contacts/delete.ts';
import { eraseContact } from '../features/privacy/erase-contact.ts';
import { noErasures } from '../features/privacy/erase-entities.ts';
import { command, type Ids } from './command.ts';
import { requireCompany, writeForCompany } from './context.ts';
import { eraseEntity } from './erasures.ts';
import { formatCounts } from './output.ts';

export const contactDelete = command<Ids<'company' | 'contact'>>({
  name: 'contact delete',
  about: 'Delete (hide) a contact. Its conversations stay.',
  of: ['company', 'contact'],
  examples: ['contact delete --company 1 --contact 4'],
  async run({ store, now }, { company, contact: id }) {
    await writeForCompany(store, company, (db) => deleteContact(db, company, id, now()));
    return { text: `Contact ${id} deleted.`, json: { id, state: 'deleted' } };
  },
});

export const contactErase = command<Ids<'company' | 'contact'>>({
  name: 'contact erase',
  about: 'Erase a contact and everything about it permanently.',
  of: ['company', 'contact'],
  notes: `
Also works for a deleted contact. Erases everything about it: conversations and messages, webhook deliveries, stored
responses of idempotency keys, import keys, and the search index. Webhooks for deleted contacts get the contact without
personal data. The files of an embedded database are cleared too; PostgreSQL does that with its next VACUUM. The command
waits for webhook requests in flight that contain erased data, at most 20 s. Not erased: backups, logs of other systems,
and data that webhooks have received.`,
  examples: ['contact erase --company 1 --contact 4'],
  async run(context, { company, contact: id }) {
    const { store } = context;
    await store.read((db) => requireCompany(db, company));
    return eraseEntity(context, {
      entity: { company_id: company, kind: 'contact', entity_id: id },
      missing: notFoundError(company, 'contact', id),
      erase: (options) => eraseContact(store, company, id, options),
      none: noErasures(),
      describe: (erased) => `: ${formatCounts(erased)}`,
    });
  },
});
