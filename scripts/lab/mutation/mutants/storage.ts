import type { Mutant } from '../mutant.ts';

/** Bugs in queries. */
export const storageMutants: readonly Mutant[] = [
  {
    name: 'a message of a deleted conversation can still be read',
    killedBy:
      'test/server/features/conversations/conversations.test.ts > lists closed and archived conversations, but no deleted ones or their messages',
    declaration: 'findMessage',
    from: "    .where('m.deleted_at', 'is', null)\n    .where('c.deleted_at', 'is', null)\n",
    to: "    .where('m.deleted_at', 'is', null)\n",
  },
  {
    name: 'anonymous contacts are listed by default',
    killedBy:
      'test/server/features/contacts/list-contacts.test.ts > includes anonymous contacts only on request; a contact with an empty name is anonymous',
    declaration: 'filterContacts',
    from: 'if (!includeAnonymous) query',
    to: 'if (includeAnonymous) query',
  },
  {
    name: 'the end of a date range of conversations is inclusive',
    killedBy:
      'test/server/features/conversations/conversations.test.ts > a date range includes its start and excludes its end',
    declaration: 'filterConversations',
    from: "query.where('created_at', '<', to)",
    to: "query.where('created_at', '<=', to)",
  },
  {
    name: 'updating or deleting a webhook of another company returns success',
    killedBy:
      "test/server/contract/tenant-isolation.test.ts > updateWebhook returns the same for another company's data as for missing data",
    declaration: 'findWebhookForUpdate',
    from: "export function findWebhookForUpdate(\n  db: Database,\n  companyId: number,\n  id: number,\n): Promise<WebhookRow | undefined> {\n  return live(db, companyId).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();",
    to: "export function findWebhookForUpdate(\n  db: Database,\n  _companyId: number,\n  id: number,\n): Promise<WebhookRow | undefined> {\n  return db\n    .selectFrom('webhooks')\n    .selectAll()\n    .where('id', '=', id)\n    .where('deleted_at', 'is', null)\n    .forNoKeyUpdate()\n    .executeTakeFirst();",
  },
  {
    name: 'a quotation mark in a search breaks the index query',
    killedBy:
      'test/server/features/contacts/search-contacts.test.ts > finds exactly the contacts whose search text matches the parsed query',
    declaration: 'mayMatch',
    from: '`"${text.replaceAll(\'"\', \'""\')}"`',
    to: '`"${text}"`',
  },
  {
    name: "the count of a company's messages includes deleted ones",
    killedBy:
      'test/server/operator/conversations.test.ts > company show prints the number of objects of each kind',
    declaration: 'countMessages',
    from: "    .where('c.deleted_at', 'is', null)\n    .where('m.deleted_at', 'is', null)\n",
    to: "    .where('c.deleted_at', 'is', null)\n",
  },
  {
    name: 'deleted messages count towards the limit of a conversation',
    killedBy:
      'test/server/features/conversations/conversations.test.ts > deleted messages are not returned and do not count toward the message limit',
    declaration: 'listNewestSizes',
    from: "          .where('deleted_at', 'is', null)\n          .where('id', '<', before)\n",
    to: "          .where('id', '<', before)\n",
  },
  {
    name: 'the last page in descending order drops the wrong contact',
    killedBy:
      'test/server/features/contacts/list-contacts.test.ts > pages in descending order begin with the newest contacts',
    declaration: 'pageStatements',
    from: "desc: { named: pageOfAll('desc', false)",
    to: "desc: { named: pageOfAll('asc', false)",
  },
  {
    name: 'a search with more than a thousand matches counts one twice',
    killedBy:
      'test/server/features/contacts/search-contacts.test.ts > finds a long word on every page, even if the index also returns many false matches',
    declaration: 'candidatesAfter',
    from: 'and rowid > ${after} order by',
    to: 'and rowid >= ${after} order by',
  },
  {
    name: 'a deleted contact stays in the search index and is counted',
    killedBy:
      'test/server/features/contacts/search-contacts.test.ts > a deleted contact is neither counted nor listed',
    declaration: 'createSqliteSearchIndex',
    from: '    when old.search_text is not new.search_text or old.deleted_at is not new.deleted_at\n',
    to: '    when old.search_text is not new.search_text\n',
  },
];
