import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import type { OpenApiDocument } from '../../../../scripts/lib/openapi-document.ts';
import { contract, rejected } from '../../../../scripts/runtime-package/express.ts';
import { readYaml } from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';
import type { ArchiveBehavior, ArchiveFault } from './archive-faults.ts';

export const archiveContract: OpenApiDocument = readYaml(
  import.meta.dirname,
  'archive-contract.yaml',
).contract;

const optional = (header: string) => [
  [`${header}","in":"header","required":true`, `${header}","in":"header"`],
];

/** Faults of a service that validates requests with another contract: replaced parts of its JSON. */
const otherContracts: Partial<Record<ArchiveFault, string[][]>> = {
  'accepts too many shelves': [['"maximum":500', '"maximum":1000000']],
  'accepts updates without If-Match': optional('If-Match'),
  'accepts requests without a tenant': optional('X-Tenant'),
  'accepts an upload without a file': [['"required":["file"],', '']],
  'ignores the token': [['"security":[{"token":[]}]', '"security":[]']],
  'rejects short names': [['"minLength":1,"maxLength":30', '"minLength":10,"maxLength":30']],
  'takes over a read-only property': [
    [',"readOnly":true', ''],
    ['"required":["id","name","created_at"]', '"required":["name"]'],
  ],
};

interface Stored {
  id: string;
  [property: string]: unknown;
}

/** Headers with the token and the session that the server accepts, and a tenant. */
export const archiveCredentials = { Authorization: 'Bearer t', 'X-Tenant': 'a', Cookie: 'sid=s' };

/** The same headers as options of the command. */
export const credentialOptions = Object.entries(archiveCredentials).flatMap(([name, value]) => [
  '--header',
  `${name}: ${value}`,
]);

const everything = { name: '-', created_at: '2024-01-01T00:00:00Z' };
const member = '/collections/:collection';
const objects = `${member}/boxes/:box/objects`;

/**
 * Starts the archive's server: an Express application behind the public middleware, which checks its requests.
 * @param given what it does differently
 * @returns its URL, and the methods and paths of the requests that it received
 */
export async function startArchive(
  ...given: (ArchiveFault | ArchiveBehavior)[]
): Promise<{ url: string; received: string[] }> {
  const has = (each: ArchiveFault | ArchiveBehavior) => given.includes(each);
  const text = Object.entries(otherContracts)
    .flatMap(([fault, changes]) => (has(fault as ArchiveFault) ? changes : []))
    .reduce((json, [from = '', to = '']) => json.replaceAll(from, to), JSON.stringify(archiveContract));
  const received: string[] = [];
  /** The stored resources by tenant and path. */
  const stored = new Map<string, Stored>();
  /** The collections by the key and the body of their creates. */
  const created = new Map<string, Stored>();
  let made = 0;
  let [isTokenValid, hasSession] = [true, true];

  const newId = () => {
    made += 1;
    return `n${made}`;
  };
  const keyOf = (req: Request, path: string) => `${req.get('X-Tenant')} ${path}`;
  const find = (req: Request, path = req.path): Stored | undefined =>
    stored.get(keyOf(req, path)) ??
    (has('shows items of other tenants')
      ? [...stored].find(([key]) => key.endsWith(` ${path}`))?.[1]
      : undefined);
  const membersOf = (req: Request): Stored[] => {
    const before = keyOf(req, `${req.path}/`);
    return [...stored].flatMap(([key, value]) =>
      key.startsWith(before) && !key.slice(before.length).includes('/') ? [value] : [],
    );
  };
  const problem = (res: Response, status: number) =>
    void res
      .status(status)
      .type(has('returns errors as another media type') ? 'json' : 'application/problem+json')
      .send(JSON.stringify({ title: `Rejected with ${status}.` }));
  const shown = ({ remark, ...value }: Stored): Stored => {
    if ('size' in value && has('returns another type two levels down'))
      return { ...value, size: { width: 1, unit: { symbol: 1 } } };
    if ('size' in value && has('shows a write-only property')) return { ...value, remark: remark ?? '' };
    return 'created_at' in value && has('adds a property to a closed object')
      ? { ...value, internal: true }
      : value;
  };
  const etagOf = (value: Stored): string => {
    const seen = has('keeps the ETag after a change') ? value.id : JSON.stringify(shown(value));
    return `"${hash('sha1', seen).slice(0, 10)}"`;
  };

  function list(req: Request, res: Response) {
    const { limit = '20', cursor } = req.query;
    const items = membersOf(req);
    const after = cursor === undefined ? -1 : items.findIndex(({ id }) => `after-${id}` === cursor);
    if (cursor !== undefined && after < 0) return problem(res, 422);
    const shift = has('repeats an item on the next page')
      ? -1
      : has('leaves out an item between pages')
        ? 1
        : 0;
    const start = Math.max(0, after + 1 + (cursor === undefined ? 0 : shift));
    const page = items.slice(start, start + (has('ignores the limit of a list') ? 50 : Number(limit)));
    const last = page.at(-1);
    const isEndless = has('never ends a list');
    const hasMore = last !== undefined && (last !== items.at(-1) || isEndless);
    const next = hasMore ? `after-${(isEndless ? items[0] : last)?.id}` : null;
    res.json({ items: page.map(shown), next });
  }

  function createCollection(req: Request, res: Response) {
    const place = `${keyOf(req, String(req.get('Idempotency-Key')))} ${JSON.stringify(req.body)}`;
    const before = has('ignores the idempotency key') ? undefined : created.get(place);
    const { id, created_at, ...given } = req.body;
    if (has('drops a property of a create')) delete given.note;
    const own = { id: newId(), created_at: '2023-11-14T22:13:20Z' };
    const taken = has('takes over a read-only property')
      ? { ...(id && { id }), ...(created_at && { created_at }) }
      : {};
    const collection: Stored = before ?? { ...own, ...given, ...taken };
    const isChanged = has('returns another value than it stores') && typeof given.shelves === 'number';
    const kept = isChanged ? { ...collection, shelves: given.shelves + 1 } : collection;
    if (!before) stored.set(keyOf(req, `/collections/${encodeURIComponent(collection.id)}`), kept);
    created.set(place, collection);
    const located = has('returns a wrong Location') ? newId() : collection.id;
    res
      .status(has('returns an undocumented status') ? 202 : 201)
      .set('Location', `/collections/${encodeURIComponent(located)}`)
      .json(shown(collection));
  }

  function getCollection(req: Request, res: Response) {
    const isGet = req.method === 'GET';
    if (has('never responds for odd collections') && isGet && /n\d*[13579]$/.test(req.path)) return;
    if (has('ends the token when a collection is read') && isGet) isTokenValid = false;
    const instead = { ...everything, id: String(req.params.collection) };
    const value = find(req) ?? (has('finds everything') && isGet ? instead : undefined);
    if (!value) return problem(res, 404);
    if (!has('omits the ETag')) res.set('ETag', etagOf(value));
    res.json(shown(value));
  }

  function changeCollection(req: Request, res: Response) {
    const found = find(req);
    if (!found) return problem(res, 404);
    const match = req.get('If-Match');
    if (!has('accepts a stale ETag') && match !== undefined && match !== etagOf(found))
      return problem(res, 412);
    if (has('resets what a patch leaves out')) for (const name of ['note', 'shelves']) delete found[name];
    if (!has('ignores updates')) Object.assign(found, req.body);
    res.set('ETag', etagOf(found)).json(shown(found));
  }

  function createBox(req: Request, res: Response) {
    if (received.length % 5 === 0) {
      const wait = has('limits for a minute') ? '60' : has('returns an invalid Retry-After') ? 'soon' : '0';
      if (!has('limits without Retry-After')) res.set('Retry-After', wait);
      return problem(res, 429);
    }
    const { label } = req.body;
    if (has('returns 500 for long labels') && [...label].length > 12) return void res.status(500).end();
    const box = { id: newId(), label };
    stored.set(keyOf(req, `${req.path}/${box.id}`), box);
    res.status(201).json(box);
  }

  function createObject(req: Request, res: Response) {
    const object = { ...req.body, id: newId() };
    const path = `${req.path}/${object.id}`;
    if (!has('loses created objects')) stored.set(keyOf(req, path), object);
    res.status(201).set('Location', path).json(shown(object));
  }

  function replaceObject(req: Request, res: Response) {
    const found = find(req);
    if (!found) return problem(res, 404);
    const object = { ...req.body, id: found.id };
    stored.set(keyOf(req, req.path), object);
    res.json(shown(object));
  }

  function remove(req: Request, res: Response) {
    if (!find(req)) return problem(res, 404);
    if (!has('ignores deletions')) stored.delete(keyOf(req, req.path));
    res.status(204).end();
  }

  const server = createServer();
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  const app = express().set('etag', false);
  app.use((req, res, next) => {
    received.push(`${req.method} ${req.path}`);
    const isKnown = [...stored.keys()].some((key) => key.endsWith(` ${req.path}`));
    const isMember = /^\/collections\/[^/]+$/.test(req.path);
    if (has('crashes when a collection is changed') && req.method === 'PATCH') return end();
    if (has('looks up before it checks the method') && isMember && req.method !== 'GET' && !isKnown)
      return problem(res, 404);
    if (has('accepts every method') && ['PUT', 'PATCH'].includes(req.method) && req.path === '/collections')
      return void res.json({});
    next();
  });
  app.use(
    contract(compileContract(JSON.parse(text)), {
      onInvalidResponse: 'off',
      authenticate: async ({ schemes, headers }) => {
        const { authorization, cookie } = headers;
        const isAccepted = has('accepts any token') || authorization === archiveCredentials.Authorization;
        const isToken = isTokenValid && isAccepted;
        const isSession = hasSession && cookie === archiveCredentials.Cookie;
        if (!(schemes.includes('session') ? isSession : isToken)) throw rejected('tokenUnknown');
        return { caller: undefined, scopes: new Set<string>() };
      },
    }),
  );
  // Each resource that contains the requested one must exist, too.
  app.use('/collections', (req, res, next) => {
    const parts = `${req.baseUrl}${req.path}`.split('/');
    for (let length = 3; length < parts.length; length += 2)
      if (!find(req, parts.slice(0, length).join('/'))) return problem(res, 404);
    next();
  });
  app.get(['/collections', objects], list);
  app.post('/collections', createCollection);
  app.delete('/collections', (req, res) => {
    for (const { id } of membersOf(req)) stored.delete(keyOf(req, `/collections/${id}`));
    res.status(204).end();
  });
  app.get(member, getCollection);
  app.patch(member, changeCollection);
  app.delete([member, `${objects}/:object`], remove);
  app.post(`${member}/boxes`, createBox);
  app.post(objects, createObject);
  app.get(`${objects}/:object`, (req, res) => {
    const found = find(req);
    return found ? void res.json(shown(found)) : problem(res, 404);
  });
  app.put(`${objects}/:object`, replaceObject);
  app.post(`${objects}/:object/scans`, (req, res) => {
    const { caption } = req.body ?? {};
    res.status(201).json({ id: newId(), bytes: 1, caption });
  });
  app.post('/rooms', (req, res) => {
    const name = newId();
    stored.set(keyOf(req, `/places/shelf/${name}`), { id: name });
    res.status(201).json({ name });
  });
  app.get('/places/shelf/:shelf', (req, res) => (find(req) ? void res.end() : problem(res, 404)));
  app.get('/events', (_req, res) => void res.type('text/event-stream').write('data: 1\n\n'));
  app.post('/keys/rotate', (_req, res) => {
    isTokenValid = !has('ends the token at a rotation');
    res.status(204).end();
  });
  app.get('/session', (_req, res) => void res.status(204).end());
  app.delete('/session', (_req, res) => {
    hasSession = !has('ends the session');
    res.status(204).end();
  });
  app.post('/admin/stop', (_req, res) => {
    if (has('stops when asked to')) setImmediate(() => setImmediate(end));
    res.status(204).end();
  });
  app.use((error: { status: number }, req: Request, res: Response, _next: NextFunction) => {
    const isOther =
      has('rejects invalid boxes with 409') && error.status === 422 && req.path.endsWith('/boxes');
    problem(res, isOther ? 409 : error.status);
  });
  server.on('request', app);
  return { url: await startListening(server), received };
}
