import { expect, test } from 'vitest';
import { checkBasePath } from '../../../../scripts/testing/conformance/check-setup.ts';
import {
  credentialsFor,
  withoutSecrets,
  withWrongCredentials,
} from '../../../../scripts/testing/conformance/credentials.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { contractOf, documentOf } from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';

const get = { operationId: 'listNotes', responses: { 200: { description: 'Notes.' } } };
const servers = [{ url: 'https://notes.example.com/api/v1' }];
const notes = contractOf(documentOf({ '/notes': { get } }, { servers }));

/** Checks a service that has one path. @returns the message of the error; undefined if the URL is right */
async function messageFor(served: string, urlPath: string): Promise<string | undefined> {
  const origin = await startListening((req, res) => void res.writeHead(req.url === served ? 200 : 404).end());
  const base = origin + urlPath;
  const { send, close } = createRequestSender(base, 5_000);
  const failed = await checkBasePath(notes, { base, send, credentials: { headers: {} } }).catch(
    (error: Error) => error.message.replaceAll(/:\d+/g, ''),
  );
  close();
  return failed || undefined;
}

test('a URL without the path of the server is an error that names the right one', async () => {
  expect(await messageFor('/api/v1/notes', '')).toMatch(/Set it: --url http:\/\/127\.0\.0\.1\/api\/v1$/);
  expect(await messageFor('/proxy/api/v1/notes', '/proxy')).toMatch(/127\.0\.0\.1\/proxy\/api\/v1$/);
});

test('a URL with the path, a service without it, and one that has no such path are left alone', async () => {
  expect(await messageFor('/api/v1/notes', '/api/v1')).toBeUndefined();
  expect(await messageFor('/notes', '')).toBeUndefined();
  expect(await messageFor('/other', '')).toBeUndefined();
});

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
