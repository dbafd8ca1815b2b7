import { expect, test } from 'vitest';
import {
  credentialsFor,
  withoutSecrets,
  withWrongCredentials,
} from '../../../../scripts/testing/conformance/credentials.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { documentOf } from '../../../support/schemas.ts';

const bearer = { type: 'http', scheme: 'bearer', in: undefined, name: undefined };
const key = { type: 'apiKey', in: 'header', name: 'X-Key' };

test.each([
  [
    bearer,
    { Authorization: 'Bearer secret' },
    { Authorization: expect.stringMatching(/^Bearer (?!secret)\S+$/) },
  ],
  [bearer, { Authorization: 'secret' }, { Authorization: expect.not.stringContaining('secret') }],
  [
    { ...bearer, scheme: 'basic' },
    { Authorization: 'Basic YTpi' },
    { Authorization: expect.stringMatching(/^Basic (?!YTpi)\S+$/) },
  ],
  [key, { 'X-Key': 'secret words' }, { 'X-Key': expect.not.stringContaining('secret') }],
  [
    { ...key, name: 'Authorization' },
    { Authorization: 'secret words' },
    { Authorization: expect.not.stringContaining('secret') },
  ],
])('replaces the credentials of %o by wrong ones that contain nothing of them', (scheme, headers, wrong) => {
  expect(withWrongCredentials({ headers, query: {} }, [scheme])).toEqual({ headers: wrong, query: {} });
});

test('hides credentials that a response repeats, and no letters of its other words', () => {
  const hidden = (token: string) =>
    withoutSecrets('{"items":"t0p-s3cret"}', { headers: { Authorization: `Bearer ${token}` }, query: {} }, [
      'Authorization',
    ]);
  expect(hidden('t0p-s3cret')).toBe('{"items":"$AUTHORIZATION"}');
  expect(hidden('t')).toBe('{"items":"t0p-s3cret"}');
});

test('an operation gets the credentials that it documents, and no others', () => {
  const document = documentOf(
    Object.fromEntries(
      ['bearer', 'key', 'cookie', ''].map((name) => [
        `/${name}`,
        { get: { security: name === '' ? [] : [{ [name]: [] }], responses: {} } },
      ]),
    ),
    {
      components: { securitySchemes: { bearer, key, cookie: { type: 'apiKey', in: 'cookie', name: 'sid' } } },
    },
  );
  const operations = operationsOf(createSchemaContext(document));
  const given = {
    headers: { Authorization: 'Bearer a', 'X-Key': 'b', 'X-Tenant': 'c', Cookie: 'sid=d; theme=dark' },
    query: {},
  };
  const own = operations.map((operation) => credentialsFor(operation, given, operations).headers);
  expect(own).toEqual([
    { Authorization: 'Bearer a', 'X-Tenant': 'c', Cookie: 'theme=dark' },
    { 'X-Key': 'b', 'X-Tenant': 'c', Cookie: 'theme=dark' },
    { 'X-Tenant': 'c', Cookie: 'sid=d; theme=dark' },
    // Such as a login, which would replace the session.
    { 'X-Tenant': 'c', Cookie: 'theme=dark' },
  ]);
});
