import { createServer, type IncomingMessage } from 'node:http';
import { startListening } from '../../../support/start-listening.ts';

const error = {
  description: 'Refused.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** A small contract with a link. It has only the error format in common with the project's contract. */
export const libraryServerContract = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1.0.0' },
  security: [{ key: [] }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } }],
        responses: {
          200: {
            description: 'All.',
            headers: { 'X-Total': { required: true, schema: { type: 'integer' } } },
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Book' } } },
            },
          },
          401: error,
          422: error,
        },
      },
      post: {
        operationId: 'addBook',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/NewBook' },
              examples: { emma: { value: { title: 'Emma', pages: 320 } } },
            },
          },
        },
        responses: {
          201: {
            description: 'Added.',
            headers: { Location: { required: true, schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
          },
          400: error,
          401: error,
          415: error,
          422: error,
        },
      },
    },
    '/books/{isbn}': {
      parameters: [
        { name: 'isbn', in: 'path', required: true, schema: { type: 'string', minLength: 1, maxLength: 20 } },
      ],
      get: {
        operationId: 'getBook',
        responses: { 200: { $ref: '#/components/responses/Book' }, 401: error, 404: error, 422: error },
      },
      put: {
        operationId: 'replaceBook',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewBook' } } },
        },
        responses: {
          200: { $ref: '#/components/responses/Book' },
          400: error,
          401: error,
          404: error,
          415: error,
          422: error,
        },
      },
      delete: {
        operationId: 'removeBook',
        responses: { 204: { description: 'Gone.' }, 401: error, 404: error, 422: error },
      },
    },
    '/shelves': {
      post: {
        operationId: 'addShelf',
        responses: {
          201: {
            description: 'Added.',
            content: {
              'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } },
            },
            links: { shelf: { operationId: 'getShelf', parameters: { shelf: '$response.body#/name' } } },
          },
          401: error,
        },
      },
    },
    '/rooms/shelf/{shelf}': {
      get: {
        operationId: 'getShelf',
        parameters: [
          { name: 'shelf', in: 'path', required: true, schema: { type: 'string', maxLength: 10 } },
        ],
        responses: { 200: { description: 'There.' }, 401: error, 404: error, 422: error },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    responses: {
      Book: {
        description: 'The book.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
      },
    },
    schemas: {
      NewBook: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 30 },
          pages: { type: 'integer', minimum: 1, maximum: 5000 },
        },
        additionalProperties: false,
      },
      Book: {
        type: 'object',
        required: ['isbn', 'title'],
        properties: {
          isbn: { type: 'string', readOnly: true },
          title: { type: 'string' },
          pages: { type: 'integer' },
        },
      },
      Error: {
        type: 'object',
        required: ['code', 'message', 'fields'],
        properties: { code: { type: 'integer' }, message: { type: 'string' }, fields: { type: 'string' } },
      },
    },
  },
};

/** The faults that the library's server can have. */
export type LibraryFault =
  | 'returns 500 for long titles'
  | 'returns an undocumented status'
  | 'returns an undocumented media type'
  | 'omits a required header'
  | 'returns an invalid header'
  | 'omits a required property'
  | 'rejects valid short books'
  | 'accepts too many pages'
  | 'rejects invalid input with 409'
  | 'names another location'
  | 'ignores credentials'
  | 'accepts every method'
  | 'loses created books'
  | 'ignores updates'
  | 'keeps deleted books'
  | 'never responds for old books';

/** Each fault with the check that detects it, and the operation that the finding names. */
export const libraryFaults: [LibraryFault, string, string][] = [
  ['returns 500 for long titles', 'no-server-error', 'addBook'],
  ['returns an undocumented status', 'status-documented', 'addBook'],
  ['returns an undocumented media type', 'media-type', 'listBooks'],
  ['omits a required header', 'headers', 'listBooks'],
  ['returns an invalid header', 'headers', 'listBooks'],
  ['omits a required property', 'body', 'listBooks'],
  ['rejects valid short books', 'accepts-valid', 'addBook'],
  ['accepts too many pages', 'rejects-invalid', 'addBook'],
  ['rejects invalid input with 409', 'rejects-invalid', 'replaceBook'],
  ['names another location', 'names-location', 'addBook'],
  ['ignores credentials', 'requires-auth', 'getBook'],
  ['accepts every method', 'rejects-method', 'listBooks'],
  ['loses created books', 'found-after-creation', 'getBook'],
  ['ignores updates', 'keeps-update', 'replaceBook'],
  ['keeps deleted books', 'gone-after-deletion', 'getBook'],
  ['never responds for old books', 'responds', 'getBook'],
];

/** Starts a server for the library's contract, with the given faults. */
export async function startLibrary(...faults: LibraryFault[]): Promise<string> {
  const has = (fault: LibraryFault) => faults.includes(fault);
  const books = new Map<string, { isbn: string; title: string; pages?: number }>();
  const shelves = new Set<string>();
  let next = 1;

  const handle = (method: string, url: URL, key: unknown, type: string, text: string): Reply => {
    if (key !== 'k' && !has('ignores credentials')) return errorReply(401, 'header/X-Key');
    const { pathname } = url;
    const isbn = /^\/books\/([^/]+)$/.exec(pathname)?.[1];
    if (pathname === '/books' && method === 'GET') return list(url);
    if (pathname === '/books' && method === 'POST') {
      const body = read(type, text);
      if ('status' in body) return body;
      const book = { isbn: `b${next++}`, ...body };
      if (!has('loses created books')) books.set(book.isbn, book);
      return { status: 201, headers: { Location: `/books/${book.isbn}` }, body: book };
    }
    if (pathname === '/shelves' && method === 'POST') {
      const name = `s${next++}`;
      if (!has('loses created books')) shelves.add(name);
      return { status: 201, body: { name } };
    }
    const shelf = /^\/rooms\/shelf\/([^/]+)$/.exec(pathname)?.[1];
    if (shelf !== undefined && method === 'GET') {
      if (decodeURIComponent(shelf).length > 10) return errorReply(422, 'path/shelf');
      return shelves.has(decodeURIComponent(shelf)) ? { status: 200 } : errorReply(404, 'path/shelf');
    }
    if (isbn !== undefined && ['GET', 'PUT', 'DELETE'].includes(method))
      return one(method, decodeURIComponent(isbn), type, text);
    return has('accepts every method') ? { status: 200 } : errorReply(405, '');
  };

  const list = (url: URL): Reply => {
    const limit = url.searchParams.get('limit');
    if (limit !== null && (!/^-?\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 50))
      return errorReply(422, 'query/limit');
    const all = [...books.values()].slice(0, Number(limit ?? 50));
    const shown = has('omits a required property') ? [...all, { isbn: 'x' }] : all;
    const total = has('returns an invalid header') ? 'many' : String(all.length);
    return { status: 200, headers: has('omits a required header') ? {} : { 'X-Total': total }, body: shown };
  };

  const one = (method: string, isbn: string, type: string, text: string): Reply => {
    if ([...isbn].length > 20) return errorReply(422, 'path/isbn');
    const body = method === 'PUT' ? read(type, text) : undefined;
    if (body && 'status' in body) return body;
    const found = books.get(isbn);
    if (!found) return errorReply(404, 'path/isbn');
    if (method === 'DELETE') {
      if (!has('keeps deleted books')) books.delete(isbn);
      return { status: 204 };
    }
    if (body)
      books.set(isbn, has('ignores updates') ? { ...found, ...body, ...pagesOf(found) } : { isbn, ...body });
    return { status: 200, body: books.get(isbn) };
  };

  const read = (type: string, text: string): { title: string; pages?: number } | Reply => {
    if (type !== 'application/json') return errorReply(415, 'header/Content-Type');
    if (text === '') return errorReply(422, 'body');
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return errorReply(400, 'body');
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return errorReply(422, 'body');
    const { title, pages, ...others } = { title: undefined, pages: undefined, ...body };
    const wrong = [
      ...(typeof title !== 'string' || title === '' || [...title].length > 30 ? ['/title'] : []),
      ...(pages !== undefined &&
      !(Number.isInteger(pages) && pages >= 1 && (pages <= 5000 || has('accepts too many pages')))
        ? ['/pages']
        : []),
      ...Object.keys(others).map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ];
    if (wrong.length > 0)
      return errorReply(
        has('rejects invalid input with 409') ? 409 : 422,
        has('names another location') ? '/elsewhere' : wrong.join(', '),
      );
    if (has('returns 500 for long titles') && String(title).length > 20) return { status: 500 };
    if (has('returns an undocumented status') && Number(pages) > 100) return { status: 418, body: {} };
    if (has('rejects valid short books') && Number(pages) < 40) return errorReply(422, '/pages');
    return { title: String(title), ...(pages === undefined ? {} : { pages: Number(pages) }) };
  };

  const server = createServer(async (req, res) => {
    const text = await textOf(req);
    const url = new URL(req.url ?? '/', 'http://here');
    const reply = handle(
      req.method ?? '',
      url,
      req.headers['x-key'],
      req.headers['content-type'] ?? '',
      text,
    );
    if (has('never responds for old books') && /^\/books\/b1$/.test(url.pathname)) return;
    const type = has('returns an undocumented media type') ? 'text/plain' : 'application/json';
    res.writeHead(reply.status, {
      ...reply.headers,
      ...(reply.body === undefined ? {} : { 'Content-Type': type }),
    });
    res.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  });
  return startListening(server);
}

const pagesOf = ({ pages }: { pages?: number }) => (pages === undefined ? {} : { pages });

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

const errorReply = (status: number, fields: string): Reply => ({
  status,
  body: { code: status * 100, message: 'No.', fields },
});

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
