import { emailOf, firstNameOf, scattered } from './dataset.ts';
import type { Place, Reply } from './service-under-test.ts';

/** A question that is asked of a large data set and of a small one. */
export interface Question {
  /** The operation, and what is special about it. */
  name: string;
  /** Why it may grow with the data; those that may not have none. */
  grows?: string;
  status: number;
  /** What has to be there before; its time does not count. */
  before?: (place: Place, turn: number) => Promise<number>;
  /** @param made what `before` has given */
  ask: (place: Place, turn: number, made: number) => Promise<Reply>;
  after?: (place: Place, reply: Reply, made: number) => Promise<unknown>;
}

const oneOf = (count: number, turn: number): number => 1 + (scattered(turn) % count);
const aContact = (place: Place, turn: number): number => oneOf(place.sizes.contacts, turn);

/** One that has a name. */
const aNamedContact = (place: Place, turn: number): number => {
  const number = aContact(place, turn);
  return number % 10 === 9 ? number - 1 : number;
};

// The first one is the long one.
const aConversation = (place: Place, turn: number): number =>
  2 + (scattered(turn) % (place.sizes.conversations - 1));

const contact = (turn: number) => ({
  first_name: 'Ada',
  last_name: `Lindqvist ${turn}`,
  email_address: `ada.${turn}@example.com`,
  telephone_number: '+46701234567',
  fields: [{ id: 2, value: 'Malmö' }],
});

const updated = (turn: number) => ({
  ...contact(turn),
  avatar: null,
  status: 'online',
  from_integration: false,
  integration: null,
  from_whatsapp: false,
  from_email: true,
});

// Of nothing that these questions change, so no events come of it; and of an address that no name has to be looked up for.
const webhook = { verb_id: 3, entity_id: 1, action_id: 6, url: 'https://93.184.215.14/a' };
const makeWebhook = async (place: Place): Promise<number> => {
  const { status, text } = await place.ask('POST', '/webhooks', webhook);
  if (status !== 201) throw new Error(`No webhook was made: ${status} ${text}`);
  return JSON.parse(text);
};
const dropWebhook = (place: Place, id: number) => place.ask('DELETE', `/webhooks/${id}`);

const get = (
  name: string,
  path: (place: Place, turn: number) => string,
  more: Partial<Question> = {},
): Question => ({
  name,
  status: 200,
  ask: (place, turn) => place.ask('GET', path(place, turn)),
  ...more,
});

const counted = (name: string, path: string): Question => ({
  name: `${name}, count=exact`,
  status: 200,
  grows: 'it counts them',
  ask: (place) => place.ask('GET', path, undefined, { prefer: 'count=exact' }),
});

const found = (of: (place: Place, turn: number) => string) => (place: Place, turn: number) =>
  `/contacts/search?per_page=20&query=${encodeURIComponent(of(place, turn))}`;

// So long that there is a whole page of everything in it in the small data set, too.
const season = { days: 120, of: 600 };

const aSeason = (turn: number): string => {
  const at = Date.UTC(2024, 0, 1) + (scattered(turn) % season.of) * 86_400_000;
  const date = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  return `date_from=${date(at)}&date_to=${date(at + season.days * 86_400_000)}`;
};

/** All operations, in the ways in which they differ for the database. */
export const questions: readonly Question[] = [
  get('getContact', (place, turn) => `/contacts/${aContact(place, turn)}`),
  get('listContacts', () => '/contacts?per_page=20'),
  get('listContacts, 100, newest first', () => '/contacts?per_page=100&order=desc'),
  get('listContacts, anonymous too', () => '/contacts?per_page=20&include_anonymous=true'),
  get('listContacts, of four months', (_place, turn) => `/contacts?per_page=20&${aSeason(turn)}`),
  get(
    'searchContacts, an address',
    found((place, turn) => emailOf(aNamedContact(place, turn))),
  ),
  get(
    'searchContacts, a number',
    found((place, turn) => `+46${700_000_000 + aNamedContact(place, turn)}`),
  ),
  get(
    'searchContacts, a name',
    found((_place, turn) => firstNameOf(turn)),
  ),
  get(
    'searchContacts, two letters',
    found((_place, turn) => firstNameOf(turn).slice(0, 2)),
  ),
  get(
    'searchContacts, nothing found',
    found((_place, turn) => `zzyx${turn}`),
  ),
  {
    name: 'createContact',
    status: 201,
    ask: (place, turn) => place.ask('POST', '/contacts', contact(turn)),
  },
  {
    name: 'createContact, with a key',
    status: 201,
    ask: (place, turn) =>
      place.ask('POST', '/contacts', contact(turn), { 'idempotency-key': `${turn} ${Math.random()}` }),
  },
  {
    name: 'updateContact',
    status: 200,
    ask: (place, turn) => place.ask('PUT', `/contacts/${aNamedContact(place, turn)}`, updated(turn)),
  },
  get('listCustomFields', () => '/fields'),
  get('listConversations', () => '/all/conversations?per_page=20'),
  get('listConversations, newest first', () => '/all/conversations?per_page=20&order=desc'),
  get(
    'listConversations, of four months',
    (_place, turn) => `/all/conversations?per_page=20&${aSeason(turn)}`,
  ),
  get('getConversation', (place, turn) => `/conversations/${aConversation(place, turn)}`),
  {
    name: 'createMessage',
    status: 201,
    ask: (place, turn) =>
      place.ask('POST', '/messages', {
        conversation_id: aConversation(place, turn),
        type: 'text',
        payload: 'It leaves our house today.',
      }),
  },
  get('getMessage', (place, turn) => `/messages/${oneOf(place.sizes.messages, turn)}`),
  {
    name: 'createWebhook',
    status: 201,
    ask: (place) => place.ask('POST', '/webhooks', webhook),
    after: (place, { text }) => dropWebhook(place, JSON.parse(text)),
  },
  {
    name: 'updateWebhook',
    status: 200,
    before: makeWebhook,
    ask: (place, _turn, id) => place.ask('PUT', `/webhooks/${id}`, { ...webhook, verb_id: 4 }),
    after: (place, _reply, id) => dropWebhook(place, id),
  },
  {
    name: 'deleteWebhook',
    status: 200,
    before: makeWebhook,
    ask: (place, _turn, id) => dropWebhook(place, id),
  },
  get(
    'listContacts, the last page',
    ({ sizes }) => `/contacts?per_page=20&page=${Math.floor((sizes.contacts * 0.9) / 20)}`,
    {
      grows: 'it walks over what lies before it',
    },
  ),
  get(
    'listConversations, the last page',
    ({ sizes }) => `/all/conversations?per_page=20&page=${sizes.conversations / 20}`,
    {
      grows: 'it walks over what lies before it',
    },
  ),
  counted('listContacts', '/contacts?per_page=20'),
  counted('listConversations', '/all/conversations?per_page=20'),
  counted('searchContacts', `/contacts/search?query=${encodeURIComponent(firstNameOf(1))}`),
  get('getConversation, the long one', () => '/conversations/1', { grows: 'its messages do' }),
];
