import { errorResponse } from '../../errors.ts';
import { pathOf, type ResponseTo } from '../../own-contract/handler.ts';
import { pageOf, parseDateRange, prefersTotalCount, windowOf } from '../../own-contract/pagination.ts';
import { findConversation } from '../../storage/queries/conversations.ts';
import { countRows, pageRows } from '../../storage/queries/lists.ts';
import type { ApiHandler } from '../api-handler.ts';
import { embedMessages, maxMessagesInList, maxMessagesInOne } from './embed-messages.ts';
import { presentConversation } from './present.ts';

export const listConversations: ApiHandler<'listConversations'> = async (
  { query, headers, caller },
  { store },
): Promise<ResponseTo<'listConversations'>> => {
  const { companyId } = caller;
  const filter = { companyId, ...parseDateRange(query) };
  return store.readSnapshot(async (db) => {
    // One extra row shows whether there is a next page.
    const rows = await pageRows(db, 'conversations', { ...filter, order: query.order, ...windowOf(query) });
    const total = prefersTotalCount(headers.prefer)
      ? await countRows(db, 'conversations', filter)
      : undefined;
    const page = pageOf(pathOf('listConversations'), query, rows, { idOf: ({ id }) => id, total });
    const messages = await embedMessages(
      db,
      companyId,
      page.shown.map(({ id }) => id),
      { most: maxMessagesInList },
    );
    return {
      status: 200,
      headers: { ...page.headers, ...messages.headers },
      body: page.shown.map((row) => presentConversation(row, messages.of(row.id))),
    };
  });
};

export const getConversation: ApiHandler<'getConversation'> = async (
  { path: { id }, query, caller: { companyId } },
  { store },
): Promise<ResponseTo<'getConversation'>> =>
  store.readSnapshot(async (db) => {
    const row = await findConversation(db, companyId, id);
    if (!row)
      return errorResponse('notFound', { message: `There is no conversation ${id}.`, fields: 'path/id' });
    const messages = await embedMessages(db, companyId, [id], {
      most: maxMessagesInOne,
      before: query.messages_before,
    });
    return { status: 200, headers: messages.headers, body: presentConversation(row, messages.of(id)) };
  });
