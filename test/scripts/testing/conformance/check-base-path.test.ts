import { expect, test } from 'vitest';
import { checkBasePath } from '../../../../scripts/testing/conformance/check-base-path.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { documentOf } from '../../../support/schemas.ts';
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
