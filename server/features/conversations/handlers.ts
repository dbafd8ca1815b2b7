import { rangeOf } from '../../contract/date-range.ts';
import { type Handler, pathOf } from '../../contract/handler.ts';
import { pageHeaders, prefersCount } from '../../contract/pagination.ts';
import { refusal } from '../../errors.ts';
import {
  countConversations,
  findConversation,
  listConversations as listRows,
} from '../../storage/queries/conversations.ts';
import type { Store } from '../../storage/store.ts';
import { embedMessages } from './embed-messages.ts';
import { mostInList, mostInOne } from './message-limits.ts';
import { presentConversation } from './present.ts';

interface Needs {
  store: Store;
}

export const listConversations: Handler<'listConversations', Needs> = async (
  { query, headers, caller },
  { store },
) => {
  const { page, per_page, order } = query;
  const { companyId } = caller;
  const filter = { companyId, ...rangeOf(query) };
  return store.readTogether(async (db) => {
    // One more than the page holds tells whether there is another.
    const rows = await listRows(db, { ...filter, order, limit: per_page + 1, offset: page * per_page });
    const shown = rows.slice(0, per_page);
    const total = prefersCount(headers.prefer) ? await countConversations(db, filter) : undefined;
    const messages = await embedMessages(
      db,
      companyId,
      shown.map(({ id }) => id),
      { most: mostInList },
    );
    return {
      status: 200,
      headers: {
        ...pageHeaders(pathOf('listConversations'), query, { hasNext: rows.length > per_page, total }),
        ...messages.headers,
      },
      body: shown.map((row) => presentConversation(row, messages.of(row.id))),
    };
  });
};

export const getConversation: Handler<'getConversation', Needs> = async (
  { path: { id }, query, caller: { companyId } },
  { store },
) =>
  store.readTogether(async (db) => {
    const row = await findConversation(db, companyId, id);
    if (!row)
      return refusal('noSuchResource', { message: `There is no conversation ${id}.`, fields: 'path/id' });
    const messages = await embedMessages(db, companyId, [id], {
      most: mostInOne,
      before: query.messages_before,
    });
    return { status: 200, headers: messages.headers, body: presentConversation(row, messages.of(id)) };
  });
