import { emailOf, firstNameOf, scatter } from './dataset.ts';
import type { ServiceUnderTest, TimedResponse } from './service-under-test.ts';

/** A query to measure on both data sets. */
export interface ScaleQuery {
  /** The operation and its variant. */
  name: string;
  /** Why the response time may grow with the data set; undefined if it must not grow. */
  grows?: string;
  status: number;
  /** Runs before each request and returns an ID for it. Its time is not measured. */
  before?: (service: ServiceUnderTest, turn: number) => Promise<number>;
  /** Sends the request. @param made the result of `before`; 0 if there is no `before` */
  ask: (service: ServiceUnderTest, turn: number, made: number) => Promise<TimedResponse>;
  after?: (service: ServiceUnderTest, reply: TimedResponse, made: number) => Promise<unknown>;
}

const oneOf = (count: number, turn: number): number => 1 + (scatter(turn) % count);
const aContact = (service: ServiceUnderTest, turn: number): number => oneOf(service.sizes.contacts, turn);

/** Returns the ID of a contact that is not anonymous. */
const aNamedContact = (service: ServiceUnderTest, turn: number): number => {
  const number = aContact(service, turn);
  return number % 10 === 9 ? number - 1 : number;
};

// Excludes the first conversation, which is longer than the others (see `longConversationInterval` in dataset.ts).
const aConversation = (service: ServiceUnderTest, turn: number): number =>
  2 + (scatter(turn) % (service.sizes.conversations - 1));

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

// The event of this webhook never happens, so nothing is delivered. Its URL needs no name resolution.
const webhook = { verb_id: 3, entity_id: 1, action_id: 6, url: 'https://93.184.215.14/a' };
const makeWebhook = async (service: ServiceUnderTest): Promise<number> => {
  const { status, text } = await service.ask('POST', '/webhooks', webhook);
  if (status !== 201) throw new Error(`The webhook was not created: ${status} ${text}`);
  return JSON.parse(text);
};
const dropWebhook = (service: ServiceUnderTest, id: number) => service.ask('DELETE', `/webhooks/${id}`);

const get = (
  name: string,
  path: (service: ServiceUnderTest, turn: number) => string,
  more: Partial<ScaleQuery> = {},
): ScaleQuery => ({
  name,
  status: 200,
  ask: (service, turn) => service.ask('GET', path(service, turn)),
  ...more,
});

const counted = (name: string, path: string): ScaleQuery => ({
  name: `${name}, count=exact`,
  status: 200,
  grows: 'it counts rows',
  ask: (service) => service.ask('GET', path, undefined, { prefer: 'count=exact' }),
});

const found =
  (of: (service: ServiceUnderTest, turn: number) => string) => (service: ServiceUnderTest, turn: number) =>
    `/contacts/search?per_page=20&query=${encodeURIComponent(of(service, turn))}`;

// `days` is the length of a queried period, enough for a full page in the small data set. The period starts on one of
// the first `of` days.
const season = { days: 120, of: 600 };

const aSeason = (turn: number): string => {
  const at = Date.UTC(2024, 0, 1) + (scatter(turn) % season.of) * 86_400_000;
  const date = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  return `date_from=${date(at)}&date_to=${date(at + season.days * 86_400_000)}`;
};

/** All operations, in the variants that the database executes differently. */
export const scaleQueries: readonly ScaleQuery[] = [
  get('getContact', (service, turn) => `/contacts/${aContact(service, turn)}`),
  get('listContacts', () => '/contacts?per_page=20'),
  get('listContacts, 100, newest first', () => '/contacts?per_page=100&order=desc'),
  get('listContacts, with anonymous ones', () => '/contacts?per_page=20&include_anonymous=true'),
  get('listContacts, four months', (_place, turn) => `/contacts?per_page=20&${aSeason(turn)}`),
  get(
    'searchContacts, an address',
    found((service, turn) => emailOf(aNamedContact(service, turn))),
  ),
  get(
    'searchContacts, a number',
    found((service, turn) => `+46${700_000_000 + aNamedContact(service, turn)}`),
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
    ask: (service, turn) => service.ask('POST', '/contacts', contact(turn)),
  },
  {
    name: 'createContact, with a key',
    status: 201,
    ask: (service, turn) =>
      service.ask('POST', '/contacts', contact(turn), { 'idempotency-key': `${turn} ${Math.random()}` }),
  },
  {
    name: 'updateContact',
    status: 200,
    ask: (service, turn) => service.ask('PUT', `/contacts/${aNamedContact(service, turn)}`, updated(turn)),
  },
  get('listCustomFields', () => '/fields'),
  get('listConversations', () => '/all/conversations?per_page=20'),
  get('listConversations, newest first', () => '/all/conversations?per_page=20&order=desc'),
  get('listConversations, four months', (_place, turn) => `/all/conversations?per_page=20&${aSeason(turn)}`),
  get('getConversation', (service, turn) => `/conversations/${aConversation(service, turn)}`),
  {
    name: 'createMessage',
    status: 201,
    ask: (service, turn) =>
      service.ask('POST', '/messages', {
        conversation_id: aConversation(service, turn),
        type: 'text',
        payload: 'It ships today.',
      }),
  },
  get('getMessage', (service, turn) => `/messages/${oneOf(service.sizes.messages, turn)}`),
  {
    name: 'createWebhook',
    status: 201,
    ask: (service) => service.ask('POST', '/webhooks', webhook),
    after: (service, { text }) => dropWebhook(service, JSON.parse(text)),
  },
  {
    name: 'updateWebhook',
    status: 200,
    before: makeWebhook,
    ask: (service, _turn, id) => service.ask('PUT', `/webhooks/${id}`, { ...webhook, verb_id: 4 }),
    after: (service, _reply, id) => dropWebhook(service, id),
  },
  {
    name: 'deleteWebhook',
    status: 200,
    before: makeWebhook,
    ask: (service, _turn, id) => dropWebhook(service, id),
  },
  get(
    'listContacts, the last page',
    ({ sizes }) => `/contacts?per_page=20&page=${Math.floor((sizes.contacts * 0.9) / 20)}`,
    {
      grows: 'it skips the rows before it',
    },
  ),
  get(
    'listConversations, the last page',
    ({ sizes }) => `/all/conversations?per_page=20&page=${sizes.conversations / 20}`,
    {
      grows: 'it skips the rows before it',
    },
  ),
  counted('listContacts', '/contacts?per_page=20'),
  counted('listConversations', '/all/conversations?per_page=20'),
  counted('searchContacts', `/contacts/search?query=${encodeURIComponent(firstNameOf(1))}`),
  get('getConversation, a long one', () => '/conversations/1', { grows: 'its messages grow' }),
];
