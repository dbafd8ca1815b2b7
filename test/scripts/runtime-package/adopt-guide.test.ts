import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expect, test, vi } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { generateContractModule } from '../../../scripts/contract/generate/contract-module.ts';
import type { OpenApiDocument } from '../../../scripts/lib/openapi-document.ts';
import {
  contract,
  documentedErrors,
  type ErrorFormat,
  type HandlerOptions,
  type RoutesOptions,
  rejected,
} from '../../../scripts/runtime-package/express.ts';
import { contractOf, readYaml, writeFiles } from '../../support/documents.ts';
import { startListening } from '../../support/start-listening.ts';

/*
 * Each sentence on what the middleware does, in the guide on adopting it, is a promise and has a test here. A sentence
 * without a test fails, and so does a test without its sentence.
 */

const contracts: Record<'adopted' | 'ofIds' | 'handled' | 'listed', OpenApiDocument> = readYaml(
  import.meta.dirname,
  'adopted-contracts.yaml',
);

const echo: RequestHandler = (req, res) => {
  const { body: parsed = 'none', query } = req;
  res.json({ parsed, query, all: Reflect.get(req, 'contract') });
};

const setBody: RequestHandler = (req, _res, next) => {
  req.body = 'mine';
  next();
};

const failed: ErrorRequestHandler = ({ status, message, errors }, _req, res, _next) =>
  void res.status(status ?? 500).json({ status, message, errors });

type Ask = (
  target: string,
  init?: RequestInit,
) => Promise<{ status: number; text: string; headers: Headers }>;

/** Starts an application with the middleware in front of its routes. @returns what sends requests below `/api/v1` */
async function start(
  options: Partial<HandlerOptions<undefined>> = {},
  { mount = '/', base = '/api/v1', front = [] as RequestHandler[], document = contracts.adopted } = {},
): Promise<Ask> {
  const app = express();
  app.use(...front, (_req, _res, next) => next());
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  app.use(mount, contract(compileContract(document), options));
  warned.mockRestore();
  const at = (path: string) => [path, `/api/v1${path}`];
  app.get(at('/written'), (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.write('"te');
    res.end('xt"');
  });
  app.get(at('/documented'), (_req, res) => void res.json('text'));
  app.get(at('/prototype'), (_req, res) => {
    const { writeHead, end } = Object.getPrototypeOf(Object.getPrototypeOf(res));
    writeHead.call(res, 200, { 'Content-Type': 'application/json' });
    end.call(res, '"text"');
  });
  app.get(at('/events'), (_req, res) => {
    res.type('text/event-stream');
    res.write('data: 1\n\n');
  });
  app.get([...at('/moved'), ...at('/redirected')], (_req, res) => res.redirect('/users'));
  app.get(at('/miscounted'), (_req, res) => void res.set('X-Count', 'many').json([]));
  app.get(at('/wrapped'), (_req, res) => {
    const { writeHead } = res;
    res.writeHead = (...given: never[]) => Reflect.apply(writeHead, res.set('X-Count', '7'), given);
    res.json([]);
  });
  app.get(at('/failing'), (_req, _res, next) => next(new Error('SECRET')));
  app.get(at('/file'), (_req, res) =>
    res.type('csv').sendFile('adopted-contracts.yaml', { root: import.meta.dirname }),
  );
  app.get(at('/pages/:page'), (req, res) => void res.json(req.params));
  app.use(echo);
  app.use(failed);
  const url = await startListening(app);
  return async (target, init = {}) => {
    const response = await fetch(url + base + target, init);
    const stream = response.headers.get('content-type')?.includes('event-stream');
    const { value } = stream ? ((await response.body?.getReader().read()) ?? {}) : {};
    const text = stream ? new TextDecoder().decode(value) : await response.text();
    return { status: response.status, text, headers: response.headers };
  };
}

const statuses = async (ask: Ask, ...targets: string[]) =>
  Promise.all(targets.map(async (target) => (await ask(target)).status));

const post = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

const key = { headers: { 'X-Key': 'k' } };
const token = { headers: { Authorization: 'Bearer t' } };

/** Accepts the key, and no token. */
const authenticate: RoutesOptions<undefined>['authenticate'] = ({ schemes }) => {
  if (!schemes?.includes('key')) throw rejected('tokenUnknown');
  return { caller: undefined, scopes: new Set<string>(), headers: {} };
};

const promises: Record<string, () => Promise<void>> = {
  'It matches them as Express does: it ignores case and a trailing slash, handles HEAD as GET, and adds the path of its mount.':
    async () => {
      const ask = await start();
      const invalid = ['/USERS?limit=9', '/users/?limit=9', '/users?limit=9'];
      expect(await statuses(ask, ...invalid)).toEqual([400, 400, 400]);
      expect((await ask('/users?limit=9', { method: 'HEAD' })).status).toBe(400);
      const mounted = await start({}, { mount: '/api/v1' });
      expect(await statuses(mounted, '/users?limit=9')).toEqual([400]);
    },
  "Below the path of the contract's servers, undocumented paths return 404, undocumented methods 405, and OPTIONS 204 with `Allow`.":
    async () => {
      const ask = await start();
      expect(await statuses(ask, '/users/a/b')).toEqual([404]);
      expect((await ask('/users', { method: 'DELETE' })).status).toBe(405);
      const { status, headers } = await ask('/users', { method: 'OPTIONS' });
      expect([status, headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS']);
    },
  'That path itself, if no operation has it, and paths outside are left to your application: without a 404 handler, Express sends its HTML 404, and your error handler is not called.':
    async () => {
      expect(await statuses(await start({}, { document: contracts.handled }), '', '/', '/a')).toEqual([
        200, 200, 404,
      ]);
      const app = express().use(contract(compileContract(contracts.handled)), failed);
      const response = await fetch(`${await startListening(app)}/`);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('<html')]);
    },
  'So mount `cors()` before the middleware, and leave your own pages out with `ignore`.': async () => {
    const ask = await start({ ignore: (path) => path.startsWith('/api/v1/docs/') });
    expect(await statuses(ask, '/docs/a', '/other/a')).toEqual([200, 404]);
  },
  '**Credentials** that the contract documents must be present; otherwise the response is 401.': async () => {
    expect(await statuses(await start(), '/either')).toEqual([401]);
  },
  '`authenticate` checks them, for each alternative of `security` separately.': async () => {
    const ask = await start({ authenticate });
    expect([(await ask('/either', key)).status, (await ask('/either', token)).status]).toEqual([200, 401]);
  },
  'Without it, your application checks them and their scopes.': async () => {
    expect((await (await start())('/either', token)).status).toBe(200);
  },
  '`req.body`, `req.query` and `req.params` have the validated values, with defaults.': async () => {
    const ask = await start();
    expect(JSON.parse((await ask('/users')).text).query).toEqual({ limit: 2 });
    expect(JSON.parse((await ask('/users', post({ name: 'A' }))).text).parsed).toEqual({
      name: 'A',
      role: 'reader',
    });
    expect(JSON.parse((await ask('/pages/7')).text)).toEqual({ page: 7 });
  },
  '`req.contract` has the same values: `path`, `query`, `headers`, `body` and `caller`.': async () => {
    const { all } = JSON.parse((await (await start())('/users?limit=1')).text);
    expect(all).toMatchObject({ path: {}, query: { limit: 1 }, headers: {} });
  },
  '`req.body` does not change if the operation documents no body.': async () => {
    const ask = await start({}, { front: [setBody] });
    expect(JSON.parse((await ask('/users')).text).parsed).toBe('mine');
  },
  'A parser in front, such as `express.json()`, may have read the body.': async () => {
    const ask = await start({}, { front: [express.json()] });
    expect((await ask('/users', post({ name: 'A' }))).status).toBe(200);
    expect((await ask('/users', post({}))).status).toBe(400);
  },
  'A parser behind the middleware, such as multer, needs the option `unreadBodies`.': async () => {
    const { operations } = compileContract(contracts.adopted);
    const unreadBodies = operations.flatMap(({ id, method, path }) =>
      method === 'post' && path.endsWith('/users') ? [id] : [],
    );
    const { text } = await (await start({ unreadBodies }))('/users', post({}));
    expect(JSON.parse(text).parsed).toBe('none');
  },
  'The texts of a form are converted to the types of its schema.': async () => {
    const sent = { method: 'POST', body: new URLSearchParams({ age: '7' }) };
    expect(JSON.parse((await (await start())('/form', sent)).text).parsed).toEqual({ age: 7 });
  },
  '**Errors** go to your error handler with `status`, `message` and `errors`, whose items have `path` and `message`.':
    async () => {
      const answer = JSON.parse((await (await start())('/users?limit=9')).text);
      const message = expect.any(String);
      expect(answer).toEqual({ status: 400, message, errors: [expect.objectContaining({ message })] });
      expect(answer.errors[0].path).toContain('limit');
    },
  'An invalid request returns 422 if the operation documents 422, otherwise 400.': async () => {
    const ask = await start();
    expect((await ask('/strict', post({}))).status).toBe(422);
    expect((await ask('/users', post({}))).status).toBe(400);
  },
  'A wrong media type returns 415, or 400 if the operation documents 400 and not 415.': async () => {
    const ask = await start();
    const text = { method: 'POST', body: 'text' };
    expect([(await ask('/users', text)).status, (await ask('/simple', text)).status]).toEqual([415, 400]);
  },
  'The middleware validates the status, the documented headers and the body of each response.': async () => {
    expect(await statuses(await start(), '/counted', '/miscounted', '/documented')).toEqual([500, 500, 500]);
  },
  'A required header may be missing if other middleware wraps `res.writeHead`, because it can add the header later.':
    async () => {
      const { status, headers } = await (await start())('/wrapped');
      expect([status, headers.get('x-count')]).toEqual([200, '7']);
    },
  'A redirect may have the short text that `res.redirect` writes, unless its status, or `default`, documents a body.':
    async () => {
      const ask = await start();
      const statusOf = async (path: string) => (await ask(path, { redirect: 'manual' })).status;
      expect([await statusOf('/moved'), await statusOf('/redirected')]).toEqual([302, 500]);
    },
  'The middleware holds a response back until it is validated, even if a route calls `res.write` or `res.writeHead`.':
    async () => {
      const ask = await start();
      expect(await statuses(ask, '/written', '/documented')).toEqual([500, 500]);
    },
  'It sends a documented event stream as your route writes it.': async () => {
    expect((await (await start())('/events')).text).toBe('data: 1\n\n');
  },
  'It also validates the responses of your error handler: instead of an invalid one, the client gets an error in the format of `errors`.':
    async () => {
      const ask = await start();
      expect(JSON.parse((await ask('/written')).text)).toMatchObject({ title: expect.any(String) });
      const { status, text } = await ask('/refused?limit=9');
      expect([status, Object.keys(JSON.parse(text))]).toEqual([400, ['error']]);
    },
  'You need not document the statuses with which the middleware rejects requests, such as 400, nor the 304, 206 and 416 of `res.sendFile`, except 206 for JSON.':
    async () => {
      const ask = await start();
      expect(JSON.parse((await ask('/users?limit=9')).text)).toMatchObject({ status: 400 });
      const statusOf = async (Range: string) => (await ask('/file', { headers: { Range } })).status;
      expect([await statusOf('bytes=0-1'), await statusOf('bytes=999999-')]).toEqual([206, 416]);
    },
  'Document the other statuses that your routes and your error handler send, such as 413 and 500, or `default`.':
    async () => {
      const { text } = await (await start())('/documented');
      expect(JSON.parse(text)).toMatchObject({ message: expect.any(String) });
    },
  'A path that matches two operations, depending on case, returns 404: `/users/ME`, if there are `/users/me` and `/users/{name}`.':
    async () => {
      const targets = ['/users/ME', '/users/me', '/users/other'];
      expect(await statuses(await start(), ...targets)).toEqual([404, 200, 200]);
      const handlers = { getUsersName: async () => ({ status: 200, body: {} }) };
      const handled = await start({ handlers, unhandled: 'next' });
      expect(await statuses(handled, ...targets)).toEqual([404, 200, 200]);
    },
  'If a path documents both `head` and `get`, HEAD needs the credentials of both, because Express may call the route of GET.':
    async () => {
      const ask = await start();
      const head = (headers: Record<string, string>) => ask('/both', { method: 'HEAD', headers });
      const both = { ...key.headers, ...token.headers };
      const asked = await Promise.all([key.headers, token.headers, both].map(head));
      expect(asked.map(({ status }) => status)).toEqual([401, 401, 200]);
    },
  'If a proxy or a mount removes the path of the servers, the middleware still enforces the operations, except those whose path is `/` or begins with a parameter: serve these below the path of a server.':
    async () => {
      const ask = await start({}, { base: '' });
      expect(await statuses(ask, '/users?limit=9', '/?limit=9')).toEqual([400, 200]);
    },
  "A variable without `enum` in a server's path can have any value.": async () => {
    expect(await statuses(await start({}, { base: '/api/v77' }), '/users?limit=9')).toEqual([400]);
  },
  "Below a mount such as `app.use('/items', …)`, document that path in `servers`: otherwise `/items` could also be the path `/{id}`, and returns 404 if the contract has both.":
    async () => {
      expect(
        await statuses(await start({}, { mount: '/items', base: '', document: contracts.ofIds }), '/items'),
      ).toEqual([404]);
    },
  'Code that calls the methods of `http.ServerResponse.prototype` instead of those of `res` bypasses the validation of responses.':
    async () => {
      expect((await (await start())('/prototype')).text).toBe('"text"');
    },
};

test.each(Object.entries(promises))('%s', (_sentence, check) => check());

test('each sentence of the guide on what the middleware does has a test', () => {
  const [, section = ''] =
    /^## What the middleware does to a request\n(.*?)^## /ms.exec(guide('adopt')) ?? [];
  const sentences = section
    .split(/\n\n|^- /m)
    .map((part) =>
      part
        .replaceAll(/\s+/g, ' ')
        .replace(/^\*\*Paths\.\*\* |^\*\*Values\.\*\* /, '')
        .trim(),
    )
    // A line that ends with a colon begins a list.
    .filter((part) => part.endsWith('.'))
    .flatMap((part) => part.split(/(?<=\.) (?=[A-Z`])/));
  expect(sentences).toEqual(Object.keys(promises));
});

const guide = (name: string) => readFileSync(`openapi/guides/toolchain-${name}.md`, 'utf8');

test.each([
  ['module', 'generated', '../generated/contract.js'],
  ['commonjs', 'src/generated', './generated/contract.cjs'],
])(
  'an application (%s) that is built as the guide shows starts, with %s',
  async (type, generated, imported) => {
    const [shown = ''] = /^tsc .*$/m.exec(guide('adopt')) ?? [];
    const command = shown.replace("'generated', 'dist/generated'", `'${generated}', 'dist/${generated}'`);
    expect(guide('adopt').replaceAll(/\s+/g, ' ')).toContain('with `rootDir: "."` to `dist/src/generated`');
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', rootDir: '.' },
      ...{ lib: ['es2022'], skipLibCheck: true, types: [] },
    };
    const files: Record<string, string> = {
      'package.json': JSON.stringify({ type }),
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
      'src/server.ts': `import { contract } from '${imported}';
declare const console: { log: (count: number) => void };
console.log(contract.operations.length);`,
    };
    const modules = await generateContractModule(contractOf(contracts.adopted).document, {
      commonJs: type === 'commonjs',
    });
    for (const [name, text] of Object.entries(modules)) files[join(generated, name)] = text;
    const folder = dirname(await writeFiles(files));
    const env = { ...process.env, PATH: [resolve('node_modules/.bin'), process.env.PATH].join(delimiter) };
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} && node dist/src/server.js`], {
      cwd: folder,
      env,
    });
    expect(Number(stdout)).toBeGreaterThan(10);
  },
  60_000,
);

/** Sends a request to an operation that has a handler. */
async function askHandler(value: unknown, options: Partial<HandlerOptions<undefined>> = {}) {
  const handlers = { createUser: async () => ({ status: 200, body: 'no integer' }) };
  const enforce = contract(compileContract(contracts.handled), { handlers, onError: () => {}, ...options });
  const url = await startListening(express().use(enforce));
  const response = await fetch(`${url}/api/v1/users`, post(value));
  return { status: response.status, body: await response.json(), headers: response.headers };
}

const kept: Record<string, () => Promise<void>> = {
  "With `'fail'`, the middleware passes an error to your error handler, and the client gets what that handler sends.":
    async () => {
      const { status, text } = await (await start())('/documented');
      expect([status, JSON.parse(text).status]).toEqual([500, 500]);
    },
  'The error has `status` 500, empty `errors`, and a `message` for your log: `The response of getNote with status 200 violates the contract: /text is required`.':
    async () => {
      const { text } = await (await start())('/documented');
      const message = expect.stringMatching(/^The response of \S+ with status 200 violates the contract: \S/);
      expect(JSON.parse(text)).toEqual({ status: 500, message, errors: [] });
    },
  "If a gateway removes it, set it in front: `req.headers.authorization ??= 'Bearer gateway'`": async () => {
    const front: RequestHandler[] = [
      (req, _res, next) => {
        req.headers.authorization ??= 'Bearer gateway';
        next();
      },
    ];
    expect(await statuses(await start({}, { front }), '/either')).toEqual([200]);
  },
  'Headers that were set before the middleware stay.': async () => {
    const front: RequestHandler[] = [(_req, res, next) => void next(res.set('X-Front', '1') && undefined)];
    expect((await (await start({}, { front }))('/documented')).headers.get('x-front')).toBe('1');
  },
  'A documented list such as `details` gets `path` and `message` of each violation, if the schema of its items has them, or no properties.':
    async () => {
      expect(await askHandler({})).toEqual({
        status: 400,
        headers: expect.anything(),
        body: { details: [{ path: '/body/name', message: 'is required' }] },
      });
    },
  'If your error handler sends an undocumented status, such as 500, the line contains its text as `withheld`, and the client gets no details.':
    async () => {
      const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      const { status, text } = await (await start())('/failing');
      const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
      write.mockRestore();
      expect([status, text]).toEqual([500, expect.not.stringContaining('SECRET')]);
      expect(lines).toMatchObject([{ status: 500, withheld: expect.stringContaining('SECRET') }]);
    },
  'the client gets a 500 without details, and `onError` the error.': async () => {
    const found: unknown[] = [];
    const fail = async () => {
      throw new Error('SECRET');
    };
    const { status, body } = await askHandler(
      { name: 'A' },
      { handlers: { createUser: fail }, onError: ({ error }) => void found.push(error) },
    );
    expect([status, body.detail, found]).toEqual([500, 'An internal error occurred.', [new Error('SECRET')]]);
  },
  '`ETag` of a GET, and 304 for `If-None-Match` | the same, unless the setting `etag` is off.': async () => {
    const handlers = {
      listUsers: async () => ({ status: 200, body: 1, headers: { 'Cache-Control': 'no-cache' } }),
    };
    const app = express().use(contract(compileContract(contracts.listed), { handlers }));
    const url = `${await startListening(app)}/users`;
    const first = await fetch(url);
    const etag = first.headers.get('etag') ?? '';
    // Otherwise fetch adds `no-cache`.
    const browser = { 'Cache-Control': 'max-age=0' };
    const statusFor = async (tag: string) =>
      (await fetch(url, { headers: { 'If-None-Match': tag, ...browser } })).status;
    expect([first.status, await statusFor(etag), await statusFor('"other"')]).toEqual([200, 304, 200]);
    app.disable('etag');
    expect((await fetch(url)).headers.get('etag')).toBe(null);
  },
  "and with `unhandled: 'next'` undocumented paths and methods. The middleware sends all others itself, in the format that the contract documents, or as problem documents (RFC 9457).":
    async () => {
      const handlers = { createUser: async () => ({ status: 200, body: 1 }) };
      const ask = async (unhandled: Partial<HandlerOptions<undefined>>, method: string, path: string) => {
        const enforce = contract(compileContract(contracts.handled), { handlers, ...unhandled });
        const url = await startListening(express().use(enforce, failed));
        const response = await fetch(`${url}/api/v1${path}`, { method });
        return [response.status, Object.keys(await response.json()), response.headers.get('allow')];
      };
      const mine = ['status', 'message', 'errors'];
      expect(await ask({ unhandled: 'next' }, 'GET', '/nothing')).toEqual([404, mine, null]);
      expect(await ask({ unhandled: 'next' }, 'GET', '/users')).toEqual([405, mine, 'POST']);
      expect(await ask({}, 'GET', '/nothing')).toEqual([404, expect.not.arrayContaining(mine), null]);
    },
  'A body such as `null` stays a 400 of `express.json()` in front, unless you set `express.json({ strict: false })`':
    async () => {
      const statusOf = async (strict: boolean) =>
        (await (await start({}, { front: [express.json({ strict })] }))('/strict', post(null))).status;
      expect([await statusOf(true), await statusOf(false)]).toEqual([400, 422]);
    },
  'With `handlers`, these errors reach your error handler: those of operations without a handler, errors of your own with a `status` that `authenticate` throws,':
    async () => {
      const handlers = { getEither: async () => ({ status: 200, body: 1 }) };
      for (const routes of [{}, { handlers, unhandled: 'next' as const }]) {
        const own = Object.assign(new Error('Expired.'), { status: 403, errors: [1] });
        const ask = await start({ ...routes, authenticate: () => Promise.reject(own) });
        const { status, text } = await ask('/either', key);
        expect([status, JSON.parse(text)]).toEqual([403, { status: 403, message: 'Expired.', errors: [1] }]);
      }
    },
  'A handler gets the validated input alone, with `caller` and `requestId`; its second parameter is `undefined`.':
    async () => {
      const given: unknown[] = [];
      const createUser = async (...all: unknown[]) => {
        given.push(...all);
        return { status: 200, body: 1 };
      };
      await askHandler({ name: 'A' }, { handlers: { createUser } });
      expect(given).toEqual([
        expect.objectContaining({ path: {}, query: {}, body: { name: 'A', role: 'reader' } }),
        undefined,
      ]);
      const names = ['body', 'caller', 'headers', 'path', 'query', 'requestId'];
      expect(Object.keys(Object(given[0])).sort()).toEqual(names);
    },
  'JSON is sent without `; charset=utf-8`.': async () => {
    const { headers } = await askHandler(
      { name: 'A' },
      { handlers: { createUser: async () => ({ status: 200, body: 1 }) } },
    );
    expect(headers.get('content-type')).toBe('application/json');
  },
  "An invalid response of a handler is a 500, also with `onInvalidResponse: 'log'`.": async () => {
    expect((await askHandler({ name: 'A' }, { onInvalidResponse: 'log' })).status).toBe(500);
  },
};

test('authenticate of the guide compiles with checkJs, accepts each credential, and passes other errors on', async () => {
  const [, sample = ''] = /^```js\n(\/\/ @ts-check.*?)^```/ms.exec(guide('adopt')) ?? [];
  const runtime = resolve('scripts/runtime-package/express.ts');
  const file = await writeFiles({
    'authenticate.cjs': sample.replaceAll('parley-contract-runtime', runtime),
  });
  await symlink(resolve('node_modules'), join(dirname(file), 'node_modules'));
  const compiler = resolve('node_modules/typescript-native/bin/tsc');
  const options = '--noEmit --strict --skipLibCheck --allowJs --allowImportingTsExtensions --target es2024';
  const more = '--module nodenext --types node --noUncheckedIndexedAccess';
  const given = [compiler, ...options.split(' '), ...more.split(' '), file];
  await promisify(execFile)(process.execPath, given, { cwd: dirname(file) }).catch(({ stdout }) =>
    expect.fail(stdout),
  );
  const { authenticate } = createRequire(file)(file);
  const caller = async (scheme: string, request: object) => {
    const given = { schemes: [scheme], scopes: { [scheme]: ['read'] } };
    const found = await authenticate(given, { query: {}, cookies: {}, ...request });
    return [found.caller, [...found.scopes]];
  };
  const ada = [{ name: 'Ada' }, ['read']];
  expect(await caller('queryKey', { query: { api_key: 'k-17' } })).toEqual(ada);
  expect(await caller('session', { cookies: { session: 'k-17' } })).toEqual(ada);
  const token = (authorization: unknown) => caller('token', { headers: { authorization } });
  expect(await token('Bearer k-17')).toEqual(ada);
  await expect(caller('session', {})).rejects.toThrow('No user');
  const failing = (name: string) => ({
    slice: () => {
      throw Object.assign(new Error('jwt expired'), { name });
    },
  });
  await expect(token(failing('TokenExpiredError'))).rejects.toThrow('expired');
  await expect(token(failing('MongoNetworkError'))).rejects.toThrow('jwt expired');
});

test('the headers of handlers are those that the guide lists', async () => {
  const [, listed = ''] = /of undocumented headers only (.*?);/.exec(guide('adopt')) ?? [];
  const names = Array.from(listed.matchAll(/`(.*?)`/g), ([, name = '']) => name);
  const type = /^type General = (.*);$/m.exec(readFileSync('server/contract/handler-types.ts', 'utf8'));
  expect(names.map((name) => `'${name}'`).join(' | ')).toBe(type?.[1]);
  const handlers = {
    createUser: async () => ({
      status: 200,
      body: 1,
      headers: Object.fromEntries(names.map((name) => [name, 'x'])),
    }),
  };
  const ours = await askHandler({ name: 'A' }, { handlers });
  expect(ours.status).toBe(200);
  for (const name of names) expect(ours.headers.get(name), name).toBe('x');
  const { headers } = await askHandler(
    { name: 'A' },
    { handlers: { createUser: async () => ({ status: 200, body: 1 }) } },
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/./);
  expect(headers.get('etag')).toBe(null);
});

test.each(Object.entries(kept))('%s', async (sentence, check) => {
  expect(guide('adopt').replaceAll(/\s+/g, ' ')).toContain(sentence);
  await check();
});

test('the option errors works as the example of the reference, and its list of kinds is complete', async () => {
  const errors: Partial<ErrorFormat> = {
    body: ({ status, message, violations = [] }) => ({
      error: { status, message, details: violations.map(({ path, message }) => ({ path, message })) },
    }),
  };
  expect(await askHandler({}, { errors })).toEqual({
    status: 400,
    headers: expect.anything(),
    body: {
      error: {
        status: 400,
        message: '/name is required.',
        details: [{ path: '/body/name', message: 'is required' }],
      },
    },
  });
  for (const mediaType of [undefined, 'application/problem+json', 'application/vnd.error+json']) {
    const { headers } = await askHandler({}, { errors: { ...errors, ...(mediaType ? { mediaType } : {}) } });
    expect(headers.get('content-type')).toBe(mediaType ?? 'application/json');
  }
  const own: ErrorFormat['respond'] = (...given) => {
    const { content: _, ...response } = documentedErrors.respond(...given);
    return response;
  };
  const { headers } = await askHandler({}, { errors: { ...errors, respond: own } });
  expect(headers.get('content-type')).toBe('application/json');
  expect(guide('reference')).toContain(
    readFileSync(import.meta.filename, 'utf8')
      .split('\n')
      .find((each) => each.trim().startsWith('body: ({'))
      ?.trim(),
  );
  const [, listed = ''] = /^The kinds are (.*?)\.$/ms.exec(guide('reference')) ?? [];
  const declared = /type ErrorKind =(.*?);/s.exec(readFileSync('server/contract/errors.ts', 'utf8'));
  expect(listed.match(/\w+(?=`)/g)).toEqual(declared?.[1]?.match(/\w+/g));
});

test('the types of the packages name no decisions and no tokens of Parley', () => {
  const files = [
    'server/contract/*.ts',
    'server/http/express/*.ts',
    'server/lib/field-error.ts',
    'generated/mock.d.ts',
  ];
  const found = globSync(files).filter((file) => /\b(D\d\d\b|ply_)/.test(readFileSync(file, 'utf8')));
  expect(found).toEqual([]);
});
