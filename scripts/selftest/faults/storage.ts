import type { Fault } from '../fault.ts';

/** What somebody gets wrong in queries. */
export const storageFaults: readonly Fault[] = [
  {
    name: 'a message of a deleted conversation can still be read',
    where: 'storage',
    file: 'server/storage/messages.ts',
    from: "    .where('m.deleted_at', 'is', null)\n    .where('c.deleted_at', 'is', null)\n",
    to: "    .where('m.deleted_at', 'is', null)\n",
  },
  {
    name: 'anonymous contacts are listed unless they are asked for',
    where: 'storage',
    file: 'server/storage/contacts.ts',
    from: 'if (!includeAnonymous) query',
    to: 'if (includeAnonymous) query',
  },
  {
    name: 'the end of a date range of conversations is inclusive',
    where: 'storage',
    file: 'server/storage/conversations.ts',
    from: "query.where('created_at', '<', to)",
    to: "query.where('created_at', '<=', to)",
  },
  {
    name: 'updating or deleting a webhook of another company is answered as done',
    where: 'storage',
    file: 'server/storage/webhooks.ts',
    from: "export function holdWebhook(db: Database, companyId: number, id: number): Promise<WebhookRow | undefined> {\n  return live(db, companyId).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();",
    to: "export function holdWebhook(db: Database, _companyId: number, id: number): Promise<WebhookRow | undefined> {\n  return db\n    .selectFrom('webhooks')\n    .selectAll()\n    .where('id', '=', id)\n    .where('deleted_at', 'is', null)\n    .forNoKeyUpdate()\n    .executeTakeFirst();",
  },
  {
    name: 'a search for a text with a quotation mark breaks the query of the index',
    where: 'storage',
    file: 'server/storage/sqlite-search-index.ts',
    from: '`"${text.replaceAll(\'"\', \'""\')}"`',
    to: '`"${text}"`',
  },
  {
    name: "the count of a company's messages includes deleted ones",
    where: 'storage',
    file: 'server/storage/companies.ts',
    from: "    .where('c.deleted_at', 'is', null)\n    .where('m.deleted_at', 'is', null)\n",
    to: "    .where('c.deleted_at', 'is', null)\n",
  },
  {
    name: "deleted messages take the place of older ones in a conversation's answer",
    where: 'storage',
    file: 'server/storage/messages.ts',
    from: "          .where('deleted_at', 'is', null)\n          .where('id', '<', before)\n",
    to: "          .where('id', '<', before)\n",
  },
  {
    name: 'a page of contacts, newest first, is turned round and loses the wrong one',
    where: 'storage',
    file: 'server/storage/contacts.ts',
    from: 'return withValues(db, contacts, page.order);',
    to: "return withValues(db, contacts, 'asc');",
  },
  {
    name: 'a search that finds more than a thousand contacts counts one of them twice',
    where: 'storage',
    file: 'server/storage/sqlite-search.ts',
    from: 'and rowid > ${after} order by',
    to: 'and rowid >= ${after} order by',
  },
  {
    name: 'a deleted contact stays in the search index and is counted',
    where: 'storage',
    file: 'server/storage/sqlite-search-index.ts',
    from: '    when old.search_text is not new.search_text or old.deleted_at is not new.deleted_at\n',
    to: '    when old.search_text is not new.search_text\n',
  },
];
