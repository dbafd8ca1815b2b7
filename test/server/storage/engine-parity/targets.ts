import type { Store } from '../../../../server/storage/store.ts';
import type { TestDatabase } from '../../../support/databases.ts';
import type { Api } from '../../../support/http.ts';
import { makeCompany, startService } from '../../../support/service.ts';

/** When the clock of both begins. */
export const start = Date.UTC(2026, 0, 1);

export const kinds = ['contact', 'field', 'conversation', 'message', 'webhook'] as const;
export type Kind = (typeof kinds)[number];

/** One of two services that are asked for the same. */
export interface Side {
  api: Api;
  store: Store;
  company: Awaited<ReturnType<typeof makeCompany>>;
  now: () => number;
  /** What was made here, in the order in which it was. */
  ids: Record<Kind, number[]>;
  /** Things of another company. */
  foreign: Partial<Record<Kind, number>>;
  etags: Map<number, string>;
}

/** A service on a database, with a clock that is handed in. */
export async function sideOn(database: TestDatabase, now: () => number): Promise<Side> {
  const { api, store, company, base } = await startService({ database, now });
  const other = await makeCompany(store, base, now);
  const contact = await other.contact({ first_name: 'Ada Lindqvist' });
  const conversation = await other.conversation({ caller_id: contact });
  const message = await other.message(conversation);
  const field = await other.field();
  const webhook = await other.webhook({ entity_id: 2, action_id: 1 });
  const ids = { contact: [], field: [], conversation: [], message: [], webhook: [] };
  const foreign = { contact, field: field.id, conversation: conversation.id, message: message.id, webhook };
  return { api, store, company, now, ids, foreign, etags: new Map() };
}

/** Which kind of thing a number in an answer stands for, by the path to it; what is asked for decides the rest. */
function kindAt(what: string, path: readonly string[]): Kind | undefined {
  const place = path.filter((part) => !/^\d+$/.test(part)).join('/');
  if (/(^|\/)messages\/id$/.test(place)) return 'message';
  if (/conversation_id$/.test(place)) return 'conversation';
  if (/caller_id$/.test(place)) return 'contact';
  if (/fields\/id$/.test(place)) return 'field';
  if (place === 'body' && /Webhook/.test(what)) return 'webhook';
  if (!/(^|body|data)\/?id$/.test(place)) return undefined;
  if (/essage|receive/.test(what)) return 'message';
  if (/field/i.test(what)) return 'field';
  if (/onversation/.test(what)) return 'conversation';
  return /Webhook/.test(what) ? 'webhook' : 'contact';
}

/** An answer with names instead of the numbers that a database has given out. */
export function named(side: Side, what: string, answer: unknown): unknown {
  const known = new Map(
    kinds.flatMap((kind) =>
      side.ids[kind].map((id, place): [string, string] => [`${kind} ${id}`, `${kind} #${place}`]),
    ),
  );
  const nameOf = (kind: Kind, id: number): string => known.get(`${kind} ${id}`) ?? `${kind} ?`;
  const visit = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, place) => visit(item, [...path, String(place)]));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, visit(item, [...path, name])]),
      );
    const kind = kindAt(what, path);
    if (typeof value === 'number' && kind) return nameOf(kind, value);
    // Messages for people and the addresses of what was made name the same numbers.
    const last = path.at(-1);
    if (
      typeof value === 'string' &&
      (last === 'message' || last === 'location' || last === 'x-truncated-conversations')
    )
      return value.replace(/\d+/g, '#');
    // A longer number makes a longer body.
    return last === 'content-length' ? undefined : value;
  };
  return visit(answer, []);
}
