import { hash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { OpenApiDocument } from '../../../../scripts/lib/openapi-document.ts';
import { readYaml } from '../../../support/read-yaml.ts';
import { startListening } from '../../../support/start-listening.ts';
import type { ArchiveFault } from './archive-faults.ts';
import { bodies, collectionBody } from './archive-input.ts';

export const archiveContract: OpenApiDocument = readYaml(
  import.meta.dirname,
  'archive-contract.yaml',
).contract;

interface Stored {
  id: string;
  [property: string]: unknown;
}
interface Box extends Stored {
  objects: Map<string, Stored>;
}
interface Collection extends Stored {
  boxes: Map<string, Box>;
}
interface Request {
  method: string;
  path: string[];
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
}
interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

const failed = (status: number, headers: Record<string, string> = {}): Reply => ({
  ...{ status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  body: { title: `Rejected with ${status}.` },
});

const everything = { name: '-', created_at: '2024-01-01T00:00:00Z' };

const methods: Record<string, string[]> = {
  list: ['GET', 'POST'],
  collection: ['GET', 'HEAD', 'PATCH', 'DELETE'],
  boxes: ['POST'],
  object: ['GET', 'PUT', 'DELETE'],
  shelf: ['GET'],
};

/** Starts the archive's server, with one fault or without. It shares no code with the tools. @returns its URL */
export async function startArchive(fault?: ArchiveFault): Promise<string> {
  const has = (each: ArchiveFault) => each === fault;
  const tenants = new Map<string, Map<string, Collection>>();
  const rooms = new Set<string>();
  const remembered = new Map<string, Reply>();
  let made = 0;
  let received = 0;

  const newId = () => {
    made += 1;
    return `n${made}`;
  };
  const shownCollection = ({ boxes: _boxes, ...own }: Collection): Stored =>
    has('adds a property to a closed object') ? { ...own, internal: true } : own;
  const shownObject = (own: Stored): Stored =>
    has('returns another type two levels down') ? { ...own, size: { width: 1, unit: { symbol: 1 } } } : own;
  const etagOf = (own: Collection): Record<string, string> => {
    if (has('omits the ETag')) return {};
    const seen = has('keeps the ETag after a change') ? own.id : JSON.stringify(shownCollection(own));
    return { ETag: `"${hash('sha1', seen).slice(0, 10)}"` };
  };

  function handle(request: Request): Reply | Promise<Reply> {
    const { method, path, headers } = request;
    const kind = kindOf(path);
    if (kind === undefined) return failed(404);
    if (!methods[kind]?.includes(method) && !has('accepts every method'))
      return failed(405, { Allow: (methods[kind] ?? []).join(', ') });
    const isTokenTaken = has('accepts any token')
      ? headers.authorization
      : headers.authorization === 'Bearer t';
    if (!isTokenTaken && !has('ignores the token')) return failed(401);
    const tenant = headers['x-tenant'];
    if (tenant === undefined && has('accepts requests without a tenant')) return { status: 200, body: {} };
    if (typeof tenant !== 'string' || tenant === '' || tenant.length > 20) return failed(422);
    if (path.some((each) => [...each].length > 20)) return failed(422);
    if (path[0] === 'rooms') {
      const name = newId();
      rooms.add(`${tenant} ${name}`);
      return { status: 201, body: { name } };
    }
    if (kind === 'shelf') return rooms.has(`${tenant} ${path[2]}`) ? { status: 200 } : failed(404);
    const own = tenants.get(tenant) ?? new Map<string, Collection>();
    tenants.set(tenant, own);
    if (path.length === 1) return method === 'POST' ? create(tenant, own, request) : list(own, request);
    const id = path[1] ?? '';
    const others = [...tenants.values()].find((each) => each.has(id));
    const collection = own.get(id) ?? (has('shows items of other tenants') ? others?.get(id) : undefined);
    if (path.length === 2) return one(own, collection, request);
    if (!collection) return failed(404);
    if (path.length === 3) return createBox(collection, request);
    const box = collection.boxes.get(path[3] ?? '');
    if (!box) return failed(404);
    if (path.length === 5) return method === 'POST' ? createObject(box, request) : list(box.objects, request);
    const object = box.objects.get(path[5] ?? '');
    if (path.length === 7) return object ? upload(request) : failed(404);
    return oneObject(box, object, request);
  }

  function create(tenant: string, own: Map<string, Collection>, request: Request): Reply {
    const input = read(request, collectionBody(has('accepts too many shelves') ? 1e6 : 500));
    if ('status' in input) return input;
    if (has('rejects short names') && [...String(input.value.name)].length < 10) return failed(422);
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || key === '' || key.length > 40) return failed(422);
    const place = `${tenant} ${key} ${request.text}`;
    const before = remembered.get(place);
    if (before && !has('ignores the idempotency key')) return before;
    const { id, created_at, ...given } = input.value;
    const taken = has('takes over a read-only property')
      ? { created_at, ...(id ? { id: String(id) } : {}) }
      : {};
    if (has('drops a property of a create')) delete given.note;
    const collection: Collection = {
      ...{ id: newId(), created_at: new Date(1_700_000_000_000).toISOString(), ...given },
      ...Object.fromEntries(Object.entries(taken).filter(([, value]) => value !== undefined)),
      boxes: new Map(),
    };
    own.set(collection.id, collection);
    const reply = {
      status: has('returns an undocumented status') ? 202 : 201,
      headers: {
        Location: `/collections/${encodeURIComponent(has('returns a wrong Location') ? newId() : collection.id)}`,
      },
      body: shownCollection(collection),
    };
    if (has('returns another value than it stores') && typeof given.shelves === 'number')
      collection.shelves = given.shelves + 1;
    remembered.set(place, reply);
    return reply;
  }

  function list(all: Map<string, Stored>, { query }: Request): Reply {
    const limit = query.get('limit') ?? '20';
    if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > 50) return failed(422);
    const items = [...all.values()];
    const cursor = query.get('cursor');
    const after = cursor === null ? -1 : items.findIndex(({ id }) => `after-${id}` === cursor);
    if (cursor !== null && after < 0) return failed(422);
    const size = has('ignores the limit of a list') ? 50 : Number(limit);
    const shift =
      cursor === null
        ? 0
        : has('repeats an item on the next page')
          ? -1
          : has('leaves out an item between pages')
            ? 1
            : 0;
    const start = Math.max(0, after + 1 + shift);
    const page = items.slice(start, start + size);
    const last = page.at(-1);
    const hasMore = last !== undefined && (last !== items.at(-1) || has('never ends a list'));
    const next = hasMore ? `after-${has('never ends a list') ? (items[0]?.id ?? '') : last.id}` : null;
    return {
      status: 200,
      body: {
        items: page.map(({ boxes: _boxes, ...own }) => ('size' in own ? shownObject(own) : own)),
        next,
      },
    };
  }

  function one(own: Map<string, Collection>, found: Collection | undefined, request: Request): Reply {
    const { method, headers } = request;
    const patch =
      method === 'PATCH' ? read(request, bodies.patch, 'application/merge-patch+json') : undefined;
    if (patch && 'status' in patch) return patch;
    const match = headers['if-match'];
    const mayBeAbsent = has('accepts updates without If-Match');
    if (patch && match === undefined && !mayBeAbsent) return failed(428);
    if (patch && match !== undefined && (match === '' || match.length > 60)) return failed(422);
    if (!found) {
      return has('finds everything') && method === 'GET'
        ? { status: 200, headers: { ETag: '"0"' }, body: { ...everything, id: request.path[1] } }
        : failed(404);
    }
    if (method === 'DELETE') {
      if (!has('ignores deletions')) own.delete(found.id);
      return { status: 204 };
    }
    if (patch) {
      if (!has('accepts a stale ETag') && match !== undefined && match !== etagOf(found).ETag)
        return failed(412);
      if (has('resets what a patch leaves out')) for (const name of ['note', 'shelves']) delete found[name];
      if (!has('ignores updates')) Object.assign(found, patch.value);
    }
    if (method === 'HEAD' && has('responds to HEAD with another ETag'))
      return { status: 200, headers: { ETag: `"${received}"` } };
    return { status: 200, headers: etagOf(found), body: shownCollection(found) };
  }

  function createBox(collection: Collection, request: Request): Reply {
    if (received % 5 === 0) {
      const retryAfter = has('returns an invalid Retry-After') ? 'soon' : '0';
      return failed(429, has('limits without Retry-After') ? {} : { 'Retry-After': retryAfter });
    }
    const input = read(request, bodies.box);
    if ('status' in input) return has('rejects invalid boxes with 409') ? failed(409) : input;
    const { length } = [...String(input.value.label)];
    if (has('returns 500 for long labels') && length > 12) return { status: 500 };
    const box = { id: newId(), label: input.value.label };
    collection.boxes.set(box.id, { ...box, objects: new Map() });
    return { status: 201, body: box };
  }

  function createObject(box: Box, request: Request): Reply {
    const input = read(request, bodies.object);
    if ('status' in input) return input;
    const object = { ...input.value, id: newId() };
    if (!has('loses created objects')) box.objects.set(object.id, object);
    const Location = `/${[...request.path, object.id].map(encodeURIComponent).join('/')}`;
    return { status: 201, headers: { Location }, body: shownObject(object) };
  }

  function oneObject(box: Box, found: Stored | undefined, request: Request): Reply {
    const input = request.method === 'PUT' ? read(request, bodies.object) : undefined;
    if (input && 'status' in input) return input;
    if (!found) return failed(404);
    if (request.method === 'DELETE') {
      box.objects.delete(found.id);
      return { status: 204 };
    }
    const object = input ? { ...input.value, id: found.id } : found;
    box.objects.set(object.id, object);
    return { status: 200, body: shownObject(object) };
  }

  async function upload({ headers, text }: Request): Promise<Reply> {
    const type = headers['content-type'] ?? '';
    if (!type.startsWith('multipart/form-data')) return text === '' ? failed(422) : failed(415);
    const response = new Response(text, { headers: { 'Content-Type': type } });
    const form = await response.formData().catch(() => undefined);
    if (!form) return failed(400);
    const [file, caption] = [form.get('file'), form.get('caption')];
    const isFile = file instanceof File;
    if (!isFile && !has('accepts an upload without a file')) return failed(422);
    if (caption !== null && (typeof caption !== 'string' || !/^.{1,40}$/su.test(caption))) return failed(422);
    const body = { id: newId(), bytes: isFile ? file.size : 0, ...(caption === null ? {} : { caption }) };
    return { status: 201, body };
  }

  const server = createServer(async (req, res) => {
    received += 1;
    const url = new URL(req.url ?? '/', 'http://here');
    const { method = 'GET', headers } = req;
    const path = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const { status, body, ...reply } = await handle({
      ...{ method, path, headers, query: url.searchParams, text: await textOf(req) },
    });
    if (has('never responds for odd collections') && method === 'GET' && /^n\d*[13579]$/.test(path[1] ?? ''))
      return;
    const isRelabeled = status >= 400 && has('returns errors as another media type');
    const type = isRelabeled ? { 'Content-Type': 'application/json' } : {};
    res.writeHead(status, {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...{ ...reply.headers, ...type },
    });
    res.end(body === undefined || method === 'HEAD' ? undefined : JSON.stringify(body));
  });
  return startListening(server);
}

function kindOf(path: readonly string[]): string | undefined {
  if (path.length === 3 && path[0] === 'places' && path[1] === 'shelf') return 'shelf';
  const names = path.filter((_, index) => index % 2 === 0).join('/');
  const isItem = path.length % 2 === 0;
  const kinds: Record<string, [list?: string, item?: string]> = {
    collections: ['list', 'collection'],
    'collections/boxes': ['boxes'],
    'collections/boxes/objects': ['list', 'object'],
    'collections/boxes/objects/scans': ['boxes'],
    rooms: ['boxes'],
  };
  return kinds[names]?.[isItem ? 1 : 0];
}

/** Reads a JSON body. @returns the value, or the response to an invalid one */
function read(
  { headers, text }: Request,
  isValid: (value: unknown) => boolean,
  mediaType = 'application/json',
): { value: Record<string, unknown> } | Reply {
  if (text === '') return failed(422);
  if (headers['content-type'] !== mediaType) return failed(415);
  try {
    const value: unknown = JSON.parse(text);
    return isValid(value) && typeof value === 'object' ? { value: { ...value } } : failed(422);
  } catch {
    return failed(400);
  }
}
