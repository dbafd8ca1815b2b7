import { deleteContact } from '../../server/contacts/delete.ts';
import { openConversation } from '../../server/conversations/open.ts';
import * as conversations from '../../server/conversations/operate.ts';
import { Refused } from '../../server/errors.ts';
import { addField, changeField, deleteField } from '../../server/fields/definitions.ts';
import { deleteMessage, editMessage, readMessage } from '../../server/messages/change.ts';
import { receiveMessage } from '../../server/messages/receive.ts';
import type { Database } from '../../server/storage/store.ts';
import type { Reply, Sent } from '../service.ts';
import { type Kind, named, type Side } from './sides.ts';

/** Something that is asked of a service, and what came of it, without what may differ between two of them. */
export type Call = { what: string; on: (side: Side) => Promise<unknown> };

/** A number from 0 up to 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words = [
  'Ada',
  'Lindqvist',
  'Weiß',
  'Łukasz',
  'o’Brien',
  '50%',
  'a_b',
  'c\\d',
  '\u{1F44D}ok',
  '한국',
  '',
];
const queries = [
  'ada',
  'lin',
  'li',
  'l',
  'weiss',
  '50%',
  '_',
  '\\',
  'ok',
  '국',
  '한',
  'lukasz o',
  '+46 70',
  '%',
  'x y z',
];
const values = [
  'A-1',
  'A-2',
  'a-2',
  ' A-2',
  '12',
  '012',
  '1.50 EUR',
  '1.5 EUR',
  '2024-02-29',
  '2023-02-29',
  'x@y.example',
];
// Any value is one of the first two, few are of the others.
const types = [
  'short_text',
  'text',
  'short_text',
  'text',
  'short_text',
  'numbers',
  'phone',
  'email',
  'currency',
  'date',
] as const;
const headers = [
  'link',
  'location',
  'x-total-count',
  'preference-applied',
  'x-truncated-conversations',
  'retry-after',
  'allow',
  'content-type',
  'www-authenticate',
  'content-length',
];

/**
 * Calls of every kind, sound and broken ones, that depend on each other: what is made is changed, found, listed
 * and deleted later, keys are used again, versions are out of date, unique values are taken.
 */
export function mixOf(seed: number, count: number): Call[] {
  const random = randomFrom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const chance = (share: number) => random() < share;
  const oneOf = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  };
  /** Which thing of a kind; sides have made the same number of them, in the same order. */
  const which = (kind: Kind) => {
    const place = random();
    const strange = random();
    return (side: Side): number => {
      const ids = side.ids[kind];
      if (strange < 0.04) return 999_999_999;
      if (strange < 0.07) return side.foreign[kind] ?? 999_999_998;
      return ids[Math.floor(Math.sqrt(place) * ids.length)] ?? 999_999_997;
    };
  };
  const text = () => [oneOf(words), oneOf(words)].join(' ').trim() || null;
  const contactBody = () => {
    const fields = Array.from({ length: below(3) }, () => ({
      of: which('field'),
      value: chance(0.1) ? null : oneOf(values),
    }));
    const plain = {
      first_name: chance(0.02) ? 7 : text(),
      last_name: text(),
      email_address: chance(0.2)
        ? null
        : chance(0.05)
          ? 'not one'
          : oneOf(['a@b.example', 'ada@lindqvist.example']),
      telephone_number: chance(0.5) ? null : chance(0.05) ? '0701234567' : '+46701234567',
      ...(chance(0.03) ? { unknown: true } : {}),
    };
    return (side: Side) => ({ ...plain, fields: fields.map(({ of, value }) => ({ id: of(side), value })) });
  };
  const page = () => `page=${below(4)}&per_page=${oneOf([1, 3, 20, 100, 101])}`;
  const counted = () => (chance(0.3) ? { prefer: 'count=exact' } : {});
  const key = () => (chance(0.3) ? { 'idempotency-key': `key-${below(40)}` } : {});

  const range = (list: string) => {
    const [from, to] = [below(400), below(400)].map((minute) =>
      new Date(start + 60_000 * minute).toISOString(),
    );
    const sent = { headers: counted() };
    return { path: () => `${list}?date_from=${from}&date_to=${to}`, sent: () => sent };
  };

  const requests: Record<
    string,
    () => { made?: Kind; path: (side: Side) => string; sent?: (side: Side) => Sent }
  > = {
    listContacts: () => {
      const query = `?${page()}&order=${oneOf(['asc', 'desc', 'up'])}&include_anonymous=${chance(0.5)}`;
      const sent = { headers: counted() };
      return { path: () => `/contacts${query}`, sent: () => sent };
    },
    rangeOfContacts: () => range('/contacts'),
    rangeOfConversations: () => range('/all/conversations'),
    search: () => {
      const query = `?query=${encodeURIComponent(oneOf(queries))}&${page()}`;
      const sent = { headers: counted() };
      return { path: () => `/contacts/search${query}`, sent: () => sent };
    },
    createContact: () => {
      const [body, sent] = [contactBody(), { headers: key() }];
      return {
        made: 'contact',
        path: () => '/contacts',
        sent: (side) => ({ ...sent, method: 'POST', body: body(side) }),
      };
    },
    getContact: () => {
      const id = which('contact');
      return { path: (side) => `/contacts/${id(side)}` };
    },
    updateContact: () => {
      const [id, body] = [which('contact'), contactBody()];
      const status = chance(0.05) ? 'asleep' : oneOf(['online', 'offline']);
      const rest = {
        avatar: null,
        status,
        from_integration: false,
        integration: null,
        from_whatsapp: true,
        from_email: false,
      };
      const matching = random();
      return {
        path: (side) => `/contacts/${id(side)}`,
        sent: (side) => {
          const known = side.etags.get(id(side)) ?? '"none"';
          return {
            method: 'PUT',
            body: { ...body(side), ...rest },
            headers: matching < 0.4 ? { 'if-match': known } : {},
          };
        },
      };
    },
    fields: () => ({ path: () => '/fields' }),
    listConversations: () => {
      const query = `?${page()}`;
      const sent = { headers: counted() };
      return { path: () => `/all/conversations${query}`, sent: () => sent };
    },
    getConversation: () => {
      const [id, before] = [which('conversation'), which('message')];
      const older = chance(0.3);
      return {
        path: (side) => `/conversations/${id(side)}${older ? `?messages_before=${before(side)}` : ''}`,
      };
    },
    createMessage: () => {
      const id = which('conversation');
      const plain = { type: oneOf(['text', 'photo', 'shout']), payload: chance(0.05) ? '' : (text() ?? 'x') };
      const sent = { headers: key() };
      return {
        made: 'message',
        path: () => '/messages',
        sent: (side) => ({ ...sent, method: 'POST', body: { conversation_id: id(side), ...plain } }),
      };
    },
    getMessage: () => {
      const id = which('message');
      return { path: (side) => `/messages/${id(side)}` };
    },
    createWebhook: () => {
      const body = {
        verb_id: 1 + below(5),
        entity_id: oneOf([1, 2, 3, 5]),
        action_id: 1 + below(6),
        url: 'https://hooks.example.com/a',
      };
      const sent = { method: 'POST', body, headers: key() };
      return { made: 'webhook', path: () => '/webhooks', sent: () => sent };
    },
    updateWebhook: () => {
      const id = which('webhook');
      const body = {
        verb_id: 3,
        entity_id: oneOf([1, 2, 5]),
        action_id: 1 + below(3),
        url: 'https://hooks.example.com/b',
      };
      return { path: (side) => `/webhooks/${id(side)}`, sent: () => ({ method: 'PUT', body }) };
    },
    deleteWebhook: () => {
      const id = which('webhook');
      return { path: (side) => `/webhooks/${id(side)}`, sent: () => ({ method: 'DELETE' }) };
    },
    strange: () => {
      const path = oneOf([
        '/contacts/0x1',
        '/contacts?page=-1',
        '/nothing',
        '/contacts?page=%zz',
        '/contacts/search?query=%20',
      ]);
      return { path: () => path };
    },
  };

  const works: Record<string, () => { made?: Kind; work: (db: Database, side: Side) => Promise<unknown> }> = {
    addField: () => {
      const field = {
        name: oneOf(words) || 'A',
        type: oneOf(types),
        icon: 'tag',
        order: chance(0.5) ? below(9) : undefined,
        isUnique: chance(0.4),
      };
      return { made: 'field', work: (db, { company, now }) => addField(db, company.id, field, now()) };
    },
    changeField: () => {
      const [id, change] = [which('field'), { order: below(9), isUnique: chance(0.5) }];
      return { work: (db, side) => changeField(db, side.company.id, id(side), change, side.now()) };
    },
    deleteField: () => {
      const id = which('field');
      return { work: (db, side) => deleteField(db, side.company.id, id(side), side.now()) };
    },
    deleteContact: () => {
      const id = which('contact');
      return { work: (db, side) => deleteContact(db, side.company.id, id(side), side.now()) };
    },
    openConversation: () => {
      const [id, service] = [which('contact'), oneOf(['mail', 'webchat', 'whatsapp'] as const)];
      return {
        made: 'conversation',
        work: (db, side) =>
          openConversation(db, side.company.id, { caller_id: id(side), service }, side.now()),
      };
    },
    conversation: () => {
      const [id, number] = [which('conversation'), below(9) + 1];
      const act = oneOf([
        conversations.closeConversation,
        conversations.archiveConversation,
        (db: Database, place: conversations.Place) =>
          conversations.forwardConversation(db, place, { team: number }),
        (db: Database, place: conversations.Place) =>
          conversations.setConversation(db, place, { no_matches_count: number }),
        ...(chance(0.3) ? [conversations.deleteConversation] : []),
      ]);
      return { work: (db, side) => act(db, { companyId: side.company.id, id: id(side), now: side.now() }) };
    },
    receive: () => {
      const [id, payload] = [which('conversation'), text() ?? 'x'];
      return {
        made: 'message',
        work: (db, side) =>
          receiveMessage(
            db,
            side.company.id,
            { conversation_id: id(side), type: 'text', payload },
            side.now(),
          ),
      };
    },
    message: () => {
      const [id, payload] = [which('message'), text() ?? 'x'];
      const act = oneOf([
        (db: Database, place: conversations.Place) => editMessage(db, place, payload),
        readMessage,
        ...(chance(0.3) ? [deleteMessage] : []),
      ]);
      return { work: (db, side) => act(db, { companyId: side.company.id, id: id(side), now: side.now() }) };
    },
  };

  const asked = (what: string): Call => {
    const { made, path, sent } = requests[what]?.() ?? {};
    if (!path) throw new Error(`Nobody knows how to ask for ${what}.`);
    return {
      what,
      async on(side) {
        const reply = await side.api.send(`/api/v1${path(side)}`, sent?.(side));
        remember(side, path(side), reply, made);
        const shown = headers.map((name) => [name, reply.headers.get(name)]);
        return named(side, what, {
          status: reply.status,
          headers: Object.fromEntries(shown),
          body: reply.body,
          etag: reply.headers.has('etag'),
        });
      },
    };
  };
  const done = (what: string): Call => {
    const { made, work } = works[what]?.() ?? {};
    if (!work) throw new Error(`Nobody knows how to do ${what}.`);
    return {
      what,
      async on(side) {
        try {
          const result = await side.store.write((db) => work(db, side));
          if (made && hasId(result)) side.ids[made].push(result.id);
          return 'done';
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          const { refused, message, fields } = error.refusal;
          return named(side, what, { refused, message, fields });
        }
      },
    };
  };
  // Something to begin with, then anything; what makes things comes more often than what takes them away.
  const beginning = [
    'addField',
    'addField',
    'createContact',
    'createContact',
    'openConversation',
    'createWebhook',
  ];
  const often = [
    'createContact',
    'updateContact',
    'getContact',
    'createMessage',
    'receive',
    'openConversation',
    'search',
    'getConversation',
  ];
  const seldom = [
    'deleteField',
    'deleteContact',
    'deleteWebhook',
    'strange',
    'rangeOfContacts',
    'rangeOfConversations',
    'fields',
  ];
  const names = [...Object.keys(requests), ...Object.keys(works)];
  const usual = names.filter((name) => !seldom.includes(name));
  const every = [...usual, ...usual, ...usual, ...often, ...often, ...often, ...often, ...seldom];
  return Array.from({ length: count }, (_, place) => {
    const what = beginning[place] ?? oneOf(every);
    return what in works ? done(what) : asked(what);
  });
}

export const start = Date.UTC(2026, 0, 1);

const hasId = (result: unknown): result is { id: number } =>
  typeof result === 'object' && result !== null && 'id' in result;

function remember(side: Side, path: string, reply: Reply, made: Kind | undefined): void {
  const [, id] = /^\/contacts\/(\d+)$/.exec(path) ?? [];
  const etag = reply.headers.get('etag');
  // Kept although it may be out of date by the time that it is used.
  if (etag && !side.etags.has(Number(id))) side.etags.set(Number(id), etag);
  else if (etag && side.ids.contact.indexOf(Number(id)) % 2 === 0) side.etags.set(Number(id), etag);
  if (reply.status !== 201 || !made) return;
  const number = typeof reply.body === 'number' ? reply.body : reply.body.id;
  // An answer that is given again makes nothing.
  if (!side.ids[made].includes(number)) side.ids[made].push(number);
}
