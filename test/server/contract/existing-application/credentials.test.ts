import express from 'express';
import { expect, test, vi } from 'vitest';
import { compileDocument } from '../../../../scripts/package/compile-document.ts';
import { contract, rejected } from '../../../../scripts/runtime-package/express.ts';
import { sendUnchanged } from '../../../support/api-client.ts';
import { documentOf } from '../../../support/documents.ts';
import { inheritedNames } from '../../../support/inherited-names.ts';
import { startListening } from '../../../support/start-listening.ts';
import { sendNothing, sendStatus } from './routed-application.ts';

const schemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'Bearer' },
  digest: { type: 'http', scheme: 'digest' },
  oauth: { type: 'oauth2', flows: {} },
  openid: { type: 'openIdConnect', openIdConnectUrl: 'https://example.com' },
  tls: { type: 'mutualTLS' },
};

const securities: Record<string, Record<string, string[]>[]> = {
  ...Object.fromEntries(Object.keys(schemes).map((name) => [name, [{ [name]: [] }]])),
  scoped: [{ oauth: ['admin'] }],
  both: [{ header: [], bearer: [] }],
  either: [{ oauth: ['admin'] }, { header: [] }],
  eitherPlace: [{ query: [] }, { cookie: [] }],
  optional: [{ header: [] }, {}],
  none: [],
};

const documentWith = (all: typeof securities, securitySchemes: object = schemes) =>
  documentOf(
    Object.fromEntries(
      Object.entries(all).map(([name, security]) => [
        `/${name}`,
        { get: { operationId: name, security, responses: { '204': { description: 'Yes.' } } } },
      ]),
    ),
    { components: { securitySchemes } },
  );

type Authenticate = NonNullable<NonNullable<Parameters<typeof contract>[1]>['authenticate']>;

interface Served {
  form?: 'routes' | 'handlers';
  authenticate?: Authenticate;
  document?: ReturnType<typeof documentWith>;
  before?: express.RequestHandler;
}

/** Serves operations in front of routes, or with typed handlers. */
async function serve({ form, authenticate, document = documentWith(securities), before }: Served = {}) {
  const compiled = await compileDocument(document);
  const options = authenticate ? { authenticate } : {};
  const handlers = Object.fromEntries(
    Object.keys(document.paths).map((path) => [path.slice(1), async () => ({ status: 204 })]),
  );
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const app = express().use(before ?? ((_req, _res, next) => next()));
  app.use(form === 'handlers' ? contract(compiled, { ...options, handlers }) : contract(compiled, options));
  const warnings = warned.mock.calls.map(([message]) => String(message));
  warned.mockRestore();
  const url = await startListening(app.use(sendNothing, sendStatus));
  const send = async (path: string, headers: Record<string, string> = {}) =>
    (await sendUnchanged(url, 'GET', `/${path}`, { headers })).status;
  return { send, warnings };
}

test('names the scheme and the reason of a rejected token, and refuses a kind that does not exist', async () => {
  const kinds = { unknown: 'tokenUnknown', forbidden: 'scopeMissing', misspelt: 'tokenUnkown' } as const;
  const authenticate: Authenticate = ({ headers }) => {
    const kind = kinds[headers.authorization?.replace('Bearer ', '') as keyof typeof kinds];
    throw rejected(kind as never, 'It has expired.');
  };
  const compiled = await compileDocument(documentWith({ bearer: [{ bearer: [] }] }));
  const handlers = { bearer: async () => ({ status: 204 }) };
  const enforce = contract(compiled, { authenticate, handlers, onError: () => {} });
  const base = await startListening(express().use(enforce));
  const replies = Object.keys(kinds).map(async (token) => {
    const response = await fetch(`${base}/bearer`, { headers: { Authorization: `Bearer ${token}` } });
    return [response.status, response.headers.get('www-authenticate'), (await response.json()).detail];
  });
  expect(await Promise.all(replies)).toEqual([
    [401, 'Bearer', 'It has expired.'],
    [403, null, 'It has expired.'],
    [500, null, expect.not.stringContaining('expired')],
  ]);
});

test.each(['routes', 'handlers'] as const)(
  'without authenticate, documented credentials must be present (%s)',
  async (form) => {
    const { send, warnings } = await serve({ form });
    // The public report security-default has alternatives, scopes and bearer tokens.
    const cases: [path: string, headers: Record<string, string>, status: number][] = [
      ['header', {}, 401],
      ['header', { 'x-key': '' }, 401],
      ['header', { 'x-key': 'k' }, 204],
      ['query', {}, 401],
      ['query?api_key=', {}, 401],
      ['query?api_key=k', {}, 204],
      ['cookie', {}, 401],
      ['cookie', { Cookie: 'other=1; xsid=2; sid=' }, 401],
      ['cookie', { Cookie: 'other=1; sid=2' }, 204],
      ['basic', { Authorization: 'Bearer x' }, 401],
      ['basic', { Authorization: 'Basic ' }, 401],
      ['basic', { Authorization: 'basic eDp5' }, 204],
      ['digest', { Authorization: 'Digest username="a"' }, 204],
      ['digest', { Authorization: 'Bearer x' }, 401],
      ['oauth', {}, 401],
      ['oauth', { Authorization: 'Bearer x' }, 204],
      ['openid', { Authorization: 'Basic eDp5' }, 401],
      ['openid', { Authorization: 'DPoP x' }, 204],
      // The connection has no client certificate.
      ['tls', { Authorization: 'Bearer x' }, 401],
    ];
    for (const [path, headers, status] of cases)
      expect([path, headers, await send(path, headers)]).toEqual([path, headers, status]);
    expect(warnings).toEqual([expect.stringMatching(/^13 operations .* require credentials/)]);
  },
);

/** Accepts bearer tokens, which are names of scopes, and the key `k` in any place. */
const authenticate: Authenticate = async ({ headers, url }) => {
  const [, token] = headers.authorization?.split(' ') ?? [];
  if (token !== undefined) return { caller: undefined, scopes: new Set([token]), headers: {} };
  const given = [headers['x-key'], new URL(url, 'http://a').searchParams.get('api_key'), headers.cookie];
  const found = given.filter((value) => value !== undefined && value !== null && value !== '');
  if (found.length === 0) throw rejected('tokenMissing');
  if (!found.includes('k') && !found.includes('sid=k')) throw rejected('tokenUnknown');
  return { caller: undefined, scopes: new Set(), headers: {} };
};

test.each([
  ['either', {}, 401],
  ['either', { Authorization: 'Bearer read' }, 403],
  // Neither does a wrong key add to the token, nor the token to the key.
  ['either', { Authorization: 'Bearer read', 'X-Key': 'wrong' }, 403],
  ['either', { Authorization: 'Bearer admin' }, 204],
  ['either', { 'X-Key': 'wrong' }, 401],
  ['either', { 'X-Key': 'k' }, 204],
  ['either', { Authorization: 'Bearer read', 'X-Key': 'k' }, 204],
  ['header', { Authorization: 'Bearer admin' }, 401],
  ['eitherPlace?api_key=wrong', { Cookie: 'sid=k' }, 204],
  ['eitherPlace?api_key=wrong', { Cookie: 'sid=wrong' }, 401],
  ['eitherPlace?api_key=wrong', { Cookie: 'other=k' }, 401],
  ['tls', { 'X-Key': 'k' }, 401],
] as const)(
  'checks each alternative with its own credentials: %s %j gets %i',
  async (path, headers, status) => {
    const { send, warnings } = await serve({ authenticate });
    expect([await send(path, headers), warnings]).toEqual([status, []]);
    // With errors of the application instead of those of `rejected`.
    const own: Authenticate = async (...given) => {
      try {
        return await authenticate(...given);
      } catch {
        throw Object.assign(new Error('No.'), { status: 401 });
      }
    };
    expect(await (await serve({ authenticate: own })).send(path, headers)).toBe(status);
  },
);

test('an own error of authenticate makes no request anonymous', async () => {
  const failing: Authenticate = async () => {
    throw Object.assign(new Error('The identity provider has refused the request.'), { status: 401 });
  };
  const { send } = await serve({ authenticate: failing });
  expect([await send('optional', { 'X-Key': 'k' }), await send('optional')]).toEqual([401, 204]);
});

// spec-first/connexion#1036: every request meets the alternative without credentials.
test.each([
  [{ 'X-Key': 'k' }, 'key k'],
  [{ 'X-Key': 'wrong' }, 'nobody'],
  [{ Authorization: 'Bearer x' }, 'nobody'],
  [{}, 'nobody'],
])('optional credentials tell a handler its caller: %j', async (headers, caller) => {
  const compiled = await compileDocument(documentWith({ optional: [{}, { header: [] }] }));
  const callers: string[] = [];
  const middleware = contract<string>(compiled, {
    authenticate: async (given) => {
      if (given.headers['x-key'] !== 'k') throw rejected('tokenUnknown');
      return { caller: 'key k', scopes: new Set<string>(), headers: {} };
    },
    handlers: {
      optional: async (input: { caller?: string }) => {
        callers.push(input.caller ?? 'nobody');
        return { status: 204 };
      },
    },
  });
  const app = express().use(middleware);
  const url = await startListening(app);
  expect([(await fetch(`${url}/optional`, { headers })).status, callers]).toEqual([204, [caller]]);
});

test.each(
  ['header', 'query', 'cookie'].flatMap((location) =>
    inheritedNames.map((name) => [location, name] as const),
  ),
)('a key in a %s with the name %s must be present', async (location, name) => {
  const document = documentWith({ a: [{ key: [] }] }, { key: { type: 'apiKey', in: location, name } });
  const accepting: Authenticate = async () => ({ caller: undefined, scopes: new Set(), headers: {} });
  const { send } = await serve({ document, authenticate: accepting });
  expect(await send('a')).toBe(401);
});

test.each(['routes', 'handlers'] as const)(
  'authenticate gets the request with what other middleware has set (%s)',
  async (form) => {
    // As an application with types of its own does it.
    type Request = express.Request & { session?: { user: string } };
    const { send } = await serve({
      form,
      before: (req: Request, _res, next) => {
        if (req.headers.cookie === 'sid=1') req.session = { user: 'ann' };
        next();
      },
      authenticate: async (_credentials: unknown, req: Request) => {
        if (req.session === undefined || req.get('X-User') !== req.session.user)
          throw rejected('tokenUnknown');
        return { caller: undefined, scopes: new Set<string>(), headers: {} };
      },
    });
    expect(await send('cookie', { cookie: 'sid=1', 'X-User': 'ann' })).toBe(204);
    expect(await send('cookie', { cookie: 'sid=2', 'X-User': 'ann' })).toBe(401);
    expect(await send('cookie', { cookie: 'sid=1', 'X-User': 'bob' })).toBe(401);
    // The session does not replace a token.
    expect(await send('scoped', { cookie: 'sid=1', 'X-User': 'ann' })).toBe(401);
  },
);

test.each(['routes', 'handlers'] as const)(
  'calls authenticate for no request without documented credentials (%s)',
  async (form) => {
    const asked: (readonly string[])[] = [];
    const authenticate: Authenticate = async ({ schemes }) => {
      asked.push(schemes);
      throw rejected('tokenUnknown', 'The key has expired.');
    };
    const { send } = await serve({ form, authenticate });
    for (const path of ['header', 'either', 'both', 'eitherPlace']) expect(await send(path)).toBe(401);
    expect(await send('unknown')).toBe(404);
    expect(asked).toEqual([]);
    expect(await send('both', { 'X-Key': 'k', Authorization: 'Bearer x' })).toBe(401);
    expect(asked).toEqual([['header', 'bearer']]);
  },
);

test.each([undefined, null, '', 'route'])(
  'a request does not pass if authenticate throws %j',
  async (thrown) => {
    const { send } = await serve({ authenticate: () => Promise.reject(thrown) });
    expect(await send('header', { 'X-Key': 'k' })).toBe(500);
  },
);

test.each([false, true, undefined, null, {}, 'user'])(
  'accepts no request if authenticate returns %j instead of caller and scopes',
  async (result) => {
    for (const form of ['routes', 'handlers'] as const) {
      const { send } = await serve({ form, authenticate: async () => result as never });
      for (const path of ['header', 'scoped'])
        expect(await send(path, { 'X-Key': 'wrong', Authorization: 'Bearer x' })).toBe(500);
    }
  },
);

test.each([
  [
    { unknown: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    /unused requires the security scheme missing/,
  ],
  [{ missing: { type: 'apiKey', in: 'body', name: 'key' } }, /missing of unused is not supported/],
  [{ missing: { type: 'password' } }, /missing of unused is not supported/],
])(
  'disables an operation with a security scheme that it cannot check: %j',
  async (securitySchemes, message) => {
    const document = documentWith({ unused: [{ missing: [] }], open: [] }, securitySchemes);
    const { send, warnings } = await serve({ document });
    expect(warnings).toEqual([expect.stringMatching(message)]);
    expect([await send('unused'), await send('open')]).toEqual([500, 204]);
  },
);
