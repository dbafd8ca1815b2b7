import fc from 'fast-check';
import type { ApiRequest } from '../../support/http.ts';

export interface RandomApiRequest extends ApiRequest {
  path: string;
}

/** Generators of values in requests: mostly valid, many boundary values, some invalid. */
export const value = {
  integer: fc
    .oneof(fc.integer({ min: -3, max: 105 }), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 53))
    .map(String),
  text: fc.string({ maxLength: 6 }).filter((text) => text !== ''),
  timestamp: fc.oneof(
    fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    fc.constantFrom(
      '2026-02-30T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00+02:00',
    ),
  ),
};

const query = fc.record(
  {
    include_anonymous: fc.constantFrom('true', 'false', 'yes', '1'),
    // In plain notation, because only our pipeline checks the notation of integers (D01).
    page: value.integer,
    per_page: value.integer,
    date_from: value.timestamp,
    date_to: value.timestamp,
    order: fc.constantFrom('asc', 'desc', 'ASC', 'up'),
    limit: value.text,
  },
  { requiredKeys: [] },
);

const fieldValue = fc.oneof(
  fc.record({ id: fc.integer({ min: 1 }), value: fc.option(fc.string()) }),
  fc.record(
    { id: fc.jsonValue(), value: fc.jsonValue(), type: fc.constantFrom('text', 'date', 'colour') },
    { requiredKeys: [] },
  ),
);

const body = fc.oneof(
  fc.record(
    {
      first_name: fc.oneof(fc.string(), fc.constant(null), fc.integer()),
      last_name: fc.oneof(fc.constant('x'.repeat(255)), fc.constant('x'.repeat(256)), fc.string()),
      email_address: fc.oneof(fc.emailAddress(), fc.string(), fc.constant(null)),
      telephone_number: fc.oneof(fc.constantFrom('+46701234567', '+0', '46701234567'), fc.constant(null)),
      from_email: fc.oneof(fc.boolean(), fc.constantFrom('true', 1, null)),
      fields: fc.oneof(fc.array(fieldValue, { maxLength: 4 }), fc.jsonValue()),
      nickname: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

export const encoded = (parameters: object) =>
  new URLSearchParams(Object.entries(parameters).map(([k, v]): [string, string] => [k, String(v)]));

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(arbitrary, fc.constant(null));

const wholeContact = fc.record(
  {
    id: fc.constantFrom(1, 2, 0, '1'),
    company_id: fc.constantFrom(1, 1.5),
    first_name: nullable(fc.string()),
    last_name: nullable(fc.string()),
    email_address: fc.constantFrom('a@example.com', 'a@', null),
    telephone_number: fc.constantFrom('+46701234567', '0701', null),
    avatar: fc.constantFrom('https://x.example/a.png', 'a b', null),
    created_at: value.timestamp,
    updated_at: value.timestamp,
    status: fc.constantFrom('online', 'offline', 'away'),
    from_integration: fc.constantFrom(true, false, 'no'),
    integration: nullable(fc.string()),
    from_whatsapp: fc.boolean(),
    from_email: fc.boolean(),
    fields: fc.array(fieldValue, { maxLength: 2 }),
    nickname: fc.string(),
  },
  {
    requiredKeys: [
      'first_name',
      'last_name',
      'email_address',
      'telephone_number',
      'avatar',
      'status',
      'from_integration',
      'integration',
      'from_whatsapp',
      'from_email',
    ],
  },
);

const message = fc.record(
  {
    conversation_id: fc.oneof(fc.integer({ min: -1, max: 5 }), fc.constantFrom('1', 2 ** 53, 1.5)),
    user_id: fc.oneof(fc.integer({ min: 0, max: 99 }), fc.constant(null)),
    type: fc.constantFrom('text', 'photo', 'gif'),
    payload: fc.oneof(fc.string(), fc.constantFrom('', 'x'.repeat(65_537), 7)),
    read: fc.boolean(),
  },
  { requiredKeys: ['conversation_id', 'type'] },
);

const webhook = fc.record(
  {
    verb_id: fc.integer({ min: 0, max: 5 }),
    entity_id: fc.constantFrom(1, 2, 3, 4, 5, '1'),
    action_id: fc.integer({ min: 0, max: 7 }),
    url: fc.constantFrom(
      'https://hooks.example.com/a',
      'https://hooks.example.com/a?payload=1',
      'http://hooks.example.com/',
      'https://10.0.0.1/',
      'https://u:p@hooks.example.com/',
      'hooks',
      7,
    ),
    automation_id: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(null)),
    secret: fc.string(),
  },
  { requiredKeys: ['verb_id', 'entity_id', 'url'] },
);

// Excludes dot segments, because the client would normalize a path that contains one.
const id = fc
  .oneof(
    value.integer,
    value.text.filter((text) => !/^\.+$/.test(text)),
  )
  .map(encodeURIComponent);

const sending = (method: string, path: string, sent: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: sent, weight: 9 }, fc.jsonValue()).map((each) => ({
    path,
    method,
    body: JSON.stringify(each),
  }));

const search = fc.record(
  {
    query: fc.oneof(value.text, fc.constantFrom(' ', 'x'.repeat(257))),
    page: value.integer,
    limit: value.text,
  },
  { requiredKeys: [] },
);

/** Generates valid and invalid requests to every operation of the contract. */
export const requests: fc.Arbitrary<RandomApiRequest> = fc.oneof(
  query.map((parameters) => ({ path: `/api/v1/contacts?${encoded(parameters)}` })),
  search.map((parameters) => ({ path: `/api/v1/contacts/search?${encoded(parameters)}` })),
  id.map((each) => ({ path: `/api/v1/contacts/${each}` })),
  sending('POST', '/api/v1/contacts', body),
  sending('PUT', '/api/v1/contacts/1', wholeContact),
  fc
    .record({
      'idempotency-key': fc.oneof(
        value.text.map((text) => text.trim() || 'x'),
        fc.constantFrom('x'.repeat(255), 'x'.repeat(256)),
      ),
    })
    .map((headers) => ({ path: '/api/v1/contacts', method: 'POST', body: '{}', headers })),
  query.map(({ limit }) => ({ path: `/api/v1/fields?${encoded(limit === undefined ? {} : { limit })}` })),
  query.map(({ include_anonymous: _switch, ...parameters }) => ({
    path: `/api/v1/all/conversations?${encoded(parameters)}`,
  })),
  fc.tuple(id, fc.option(value.integer, { nil: undefined })).map(([each, before]) => ({
    path: `/api/v1/conversations/${each}${before === undefined ? '' : `?messages_before=${before}`}`,
  })),
  sending('POST', '/api/v1/messages', message),
  id.map((each) => ({ path: `/api/v1/messages/${each}` })),
  sending('POST', '/api/v1/webhooks', webhook),
  sending('PUT', '/api/v1/webhooks/1', webhook),
  id.map((each) => ({ path: `/api/v1/webhooks/${each}`, method: 'DELETE' })),
);
