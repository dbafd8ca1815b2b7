import type { RequestHandler } from 'express';
import { expect, test } from 'vitest';
import { createApiClient } from '../../support/api-client.ts';
import { startService } from '../../support/service.ts';
import { createFixtures, operationIds, sendValid } from '../own-contract/valid-requests.ts';

const origin = 'https://app.example.com';

test.each([
  ['without an Origin header', {}],
  ['with an Origin header', { origin }],
])(
  'middleware runs once for every request %s, even if it is rejected or its path is unknown',
  async (_case, headers) => {
    const seen: string[] = [];
    const { api, base, company } = await startService({
      allowedOrigins: [origin],
      middleware: [
        (req, _res, next) => {
          seen.push(`${req.method} ${req.path}`);
          next();
        },
      ],
    });
    const fixtures = await createFixtures(company);
    for (const send of [
      ...operationIds.map((id) => () => sendValid(api, id, fixtures, { headers })),
      () => api.send('/api/v1/contacts', { method: 'POST', body: '{', headers }),
      () => createApiClient(base).send('/api/v1/contacts', { headers }),
      () => api.send('/api/v1/nothing', { headers }),
      () => api.send('/api/v1/contacts', { method: 'PATCH', headers }),
    ]) {
      seen.length = 0;
      await send();
      expect(seen).toHaveLength(1);
    }
  },
);

test('middleware that throws or rejects causes a 500 response, and the error is reported and logged', async () => {
  const middleware: RequestHandler[] = [
    () => {
      throw new Error('a bug');
    },
  ];
  const { api, errors, records } = await startService({ middleware });
  expect(await api.listContacts()).toBeApiError(500, 50001, '');
  expect(errors.map(({ error }) => String(error))).toEqual(['Error: a bug']);
  expect(records).toEqual([expect.objectContaining({ status: 500, operation: undefined })]);
  const later: RequestHandler = (_req, _res, next) => void setTimeout(next, 1);
  for (const failing of [[() => Promise.reject(new Error('another bug'))], [later, ...middleware]]) {
    const other = await startService({ middleware: failing });
    expect(await other.api.listContacts()).toBeApiError(500, 50001, '');
  }
});

test('middleware can send a response itself, and sees the same request ID as the client', async () => {
  let id: unknown;
  const { api } = await startService({
    middleware: [
      (req, res, next) => {
        id = req.headers['x-request-id'];
        if (req.query.blocked === 'yes') res.status(403).json({ blocked: true });
        else next();
      },
    ],
  });
  expect(await api.listContacts('?blocked=yes')).toMatchObject({ status: 403, body: { blocked: true } });
  const { headers } = await api.listContacts('', { 'x-request-id': 'not valid!' });
  expect(headers.get('x-request-id')).toBe(id);
});
