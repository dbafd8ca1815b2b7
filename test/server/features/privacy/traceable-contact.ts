import { existsSync, readFileSync } from 'node:fs';
import { eventTypes } from '../../../../generated/enums.ts';
import { operations } from '../../../../generated/operations.ts';
import { selectorsOf } from '../../../../server/own-contract/events.ts';
import { validateAgainstSchema } from '../../../../server/own-contract/validate.ts';
import { tableNames } from '../../../../server/storage/schema.ts';
import type { Database, Store } from '../../../../server/storage/store.ts';
import { onPostgres, type TestDatabase } from '../../../support/databases.ts';
import { type Company, emptyContact } from '../../../support/service.ts';
import { operationIds, validRequestOf } from '../../own-contract/valid-requests.ts';

/** The creates of what is erased with a contact or conversation: their bodies contain its ID. */
const createsAboutContacts = operationIds.filter((operation) => {
  if (operations[operation].method !== 'post') return false;
  const body = JSON.stringify(validRequestOf(operation, { contact: -1, conversation: -1 }).body);
  return body.includes(':-1');
});

/** Returns a text for every property of a contact that may be any text. */
const wordsInTexts = (textOf: (name: string) => string): Record<string, string> =>
  Object.fromEntries(
    Object.keys(emptyContact)
      .filter((name) => validateAgainstSchema('ContactCreate', { [name]: textOf(name) }).length === 0)
      .map((name) => [name, textOf(name)]),
  );

/**
 * Creates a contact with a unique word in every place where the service stores data.
 * @param mark the beginning of each word
 */
export async function createTraceableContact(company: Company, mark: string) {
  const word = (location: string) => `${mark}${location}`;
  const field = await company.field();
  // These webhooks get deliveries that contain the words, too. After five contacts, a company can have no more webhooks.
  for (const type of eventTypes) {
    const { entityId: entity_id, actionId: action_id } = selectorsOf(type);
    const url = 'https://hooks.example.com/a';
    await company.api.createWebhook({ verb_id: 3, entity_id, action_id, url });
  }
  const created = await company.api.createContact(
    {
      ...wordsInTexts((name) => word(`Former${name}`)),
      email_address: `${word('Mail')}@example.com`,
      fields: [{ id: field.id, value: word('Fieldvalue') }],
    },
    { 'idempotency-key': word('Contactkey') },
  );
  const id: number = created.body.id;
  const { headers: current } = await company.api.getContact(id);
  const changed = await company.api.updateContact(
    id,
    {
      ...emptyContact,
      ...wordsInTexts((name) => word(`New${name}`)),
      email_address: `${word('Mail')}@example.com`,
      fields: [{ id: field.id, value: word('Fieldvalue') }],
    },
    { 'if-match': current.get('etag') ?? '' },
  );
  if (changed.status !== 200) throw new Error(changed.text);
  const conversation = await company.conversation({ caller_id: id, webchat_socket_channel: word('Socket') });
  await company.message(conversation, { payload: word('Said') });
  const ids = { contact: id, conversation: conversation.id };
  for (const operation of createsAboutContacts) {
    const { path, body } = validRequestOf(operation, ids, { text: word(operation) });
    const headers = { 'idempotency-key': word(`${operation}Key`) };
    const posted = await company.api.send(path, { method: 'POST', body, headers });
    if (posted.status !== 201) throw new Error(posted.text);
  }
  const [key, payload] = [word('Conversationname'), word('Imported')];
  await company.import([
    { kind: 'conversation', key, caller_id: id, service: 'mail' },
    { kind: 'message', key: word('Messagename'), conversation: key, type: 'text', payload },
  ]);
  /** The number of stored responses to its requests. */
  const responses = 1 + createsAboutContacts.length;
  return { id, conversationId: conversation.id, responses };
}

/** Returns all rows of all tables as text. */
export const allRows = (store: Store): Promise<string> =>
  store.read(async (db: Database) => {
    const rows = await Promise.all(tableNames.map((table) => db.selectFrom(table).selectAll().execute()));
    return JSON.stringify(rows);
  });

/** Counts a word in the files of the embedded database; returns 0 on PostgreSQL. */
export function countInFiles({ file }: TestDatabase, word: string): number {
  if (onPostgres) return 0;
  return [file, `${file}-wal`]
    .filter((each) => existsSync(each))
    .reduce((times, each) => times + readFileSync(each, 'latin1').split(word).length - 1, 0);
}

/**
 * Returns the IDs of the pages in which FTS5 records deleted rows whose terms are still in the index. The segment
 * number of these pages, in bits 37 and up of the ID, is at least 2^16 (FTS5_TOMBSTONE_ROWID in the source of FTS5).
 */
export const deletedInSearch = ({ look }: TestDatabase): Promise<unknown[]> =>
  look('select id from contacts_search_data where (id >> 37) >= 65536');
