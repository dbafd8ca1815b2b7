import fc from 'fast-check';
import type { Sent } from '../service.ts';

export interface Request extends Sent {
  path: string;
}

/** Parts of requests: most of them right, many on an edge, some wrong. */
export const value = {
  integer: fc
    .oneof(fc.integer({ min: -3, max: 105 }), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 53))
    .map(String),
  text: fc.string({ maxLength: 6 }).filter((text) => text !== ''),
  moment: fc.oneof(
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
    // The spelling of whole numbers is ours to judge; see the test below.
    page: value.integer,
    per_page: value.integer,
    date_from: value.moment,
    date_to: value.moment,
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

/** Requests to every operation of the contract, right and wrong. */
export const requests: fc.Arbitrary<Request> = fc.oneof(
  query.map((parameters) => ({ path: `/api/v1/contacts?${encoded(parameters)}` })),
  // A dot alone would be another path before it left the client.
  fc
    .oneof(
      value.integer,
      value.text.filter((text) => !/^\.+$/.test(text)),
    )
    .map((id) => ({ path: `/api/v1/contacts/${encodeURIComponent(id)}` })),
  body.map((sent) => ({ path: '/api/v1/contacts', method: 'POST', body: JSON.stringify(sent) })),
  fc
    .record({
      'idempotency-key': fc.oneof(
        value.text.map((text) => text.trim() || 'x'),
        fc.constantFrom('x'.repeat(255), 'x'.repeat(256)),
      ),
    })
    .map((headers) => ({ path: '/api/v1/contacts', method: 'POST', body: '{}', headers })),
  query.map(({ limit }) => ({ path: `/api/v1/fields?${encoded(limit === undefined ? {} : { limit })}` })),
);
