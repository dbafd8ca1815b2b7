import { execFile } from 'node:child_process';
import { globSync, realpathSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../parley-contract.config.ts';
import { buildClient, bundleEntry, pack } from '../../scripts/contract/client/build.ts';
import { mockToken } from '../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../scripts/contract/mock-server/server.ts';
import { nativeCompiler } from '../../scripts/lib/compile-package.ts';
import { signingKey } from '../../server/delivery/signing-keys.ts';
import { buildWebhookRequest } from '../../server/delivery/webhook-request.ts';
import { packageProblems } from '../support/package-problems.ts';
import { startService } from '../support/service.ts';
import { startListening } from '../support/start-listening.ts';
import { afterAllTests, temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
let built: string;
let tarball: string;
/** An empty project with the client installed from its tarball. */
let project: string;

beforeAll(async () => {
  const folder = await temporaryFolder(afterAllTests);
  built = join(folder, 'client');
  await buildClient(built);
  tarball = await pack(built, folder);
  // The client's dependencies are packed, too: npm runs offline, and its cache may not contain them.
  const needed = await Promise.all(
    ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => pack(`node_modules/${name}`, folder)),
  );
  project = join(folder, 'empty project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball, ...needed], { cwd: project });
});

test('publint and attw report no problem with the client package', async () => {
  // The package contains only ES modules. The other findings are about CommonJS.
  expect(await packageProblems(tarball, ['node16-esm', 'bundler'])).toEqual([]);
});

test('the main entry of the client, bundled and compressed, is at most 6 KiB', async () => {
  const main = await bundleEntry(join(project, 'node_modules/parley-client/client/index.js'));
  expect(main.bytes).toBeLessThanOrEqual(6 * 1024);
});

test('the package has the version of the contract', async () => {
  const manifest = join(project, 'node_modules/parley-client/package.json');
  expect(JSON.parse(await readFile(manifest, 'utf8')).version).toBe(document.info.version);
});

test('the client compiles in an empty project in strict mode with TypeScript 5.9 and 7, for Node and browsers', async () => {
  const uses = (await readFile('test/client/usage.types.ts', 'utf8'))
    .replace("'../../client/index.ts'", "'parley-client'")
    .replace("'../../client/webhooks.ts'", "'parley-client/webhooks'");
  expect(uses).not.toContain('../');
  await writeFile(join(project, 'uses.ts'), uses);
  const olderCompiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  for (const [module, compiler] of [
    ['nodenext', olderCompiler],
    ['preserve', nativeCompiler],
  ] as const) {
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    const kind = ['--module', module, '--moduleResolution', module === 'preserve' ? 'bundler' : module];
    const ended = await run(process.execPath, [compiler, ...options, ...kind, 'uses.ts'], {
      cwd: project,
    }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
    expect(ended.stdout).toBe('');
  }
});

const program = `
import { createClient, ParleyError } from 'parley-client';
import { verifyWebhook } from 'parley-client/webhooks';
const [baseUrl, token, webhook] = process.argv.slice(2);
const parley = createClient({ baseUrl, token });
const { id } = await parley.throwing.POST('/api/v1/contacts', { body: { first_name: 'Ada' } });
const contact = await parley.throwing.GET('/api/v1/contacts/{id}', { params: { path: { id } } });
const listed = [];
for await (const { id } of parley.items('/api/v1/contacts', { params: { query: { per_page: 1 } } })) listed.push(id);
await parley.changeContact(id, (contact) => ({ ...contact, status: 'online' }));
const { error } = await parley.GET('/api/v1/contacts', { params: { query: { per_page: 0 } } });
const { call, secret, now } = JSON.parse(webhook);
const received = await verifyWebhook(new Request(call.url, call), { secret, now });
console.log(JSON.stringify({
  sameContact: contact.id === id, firstName: contact.first_name, listed: listed.length,
  refused: error instanceof ParleyError && [error.code, error.locations], type: received.event.type,
}));
`;

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

test('the installed client works with the service and the mock, on every available version of Node', async () => {
  const service = await startService();
  await service.company.contact();
  const { token } = await service.company.token();
  const mock = await startListening((await createMockServer({ config: contractConfig })).server);
  await writeFile(join(project, 'program.js'), program);
  const now = Date.now();
  const call = buildWebhookRequest(
    {
      id: 'msg_1_1',
      payload: JSON.stringify(document.components.examples.ContactCreatedEvent.value),
      webhook: { verb_id: 1, url: 'https://shop.example.com/' },
      keys: [signingKey(secret)],
    },
    now,
  );
  const nodes = await nodesAtHand();
  expect(nodes.length).toBeGreaterThan(0);
  for (const node of nodes)
    for (const [base, bearer, firstName] of [
      [service.base, token, 'Ada'],
      [mock, mockToken, document.components.examples.Contact4021.value.first_name],
    ] as const) {
      const { stdout } = await run(
        node,
        ['program.js', base, bearer, JSON.stringify({ call, secret, now })],
        {
          cwd: project,
        },
      );
      const listed = expect.any(Number);
      expect(JSON.parse(stdout), node).toEqual({
        sameContact: true,
        firstName,
        listed,
        refused: [42201, ['query/per_page']],
        type: 'contact.created',
      });
      expect(JSON.parse(stdout).listed, node).toBeGreaterThanOrEqual(2);
    }
});

/** Returns the paths of the project's Node and of every other Node on the PATH that is version 20 or later. */
async function nodesAtHand(): Promise<string[]> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = new Set(
    [process.execPath, ...folders.flatMap((folder) => globSync(join(folder, 'node')))].map((path) =>
      realpathSync(path),
    ),
  );
  const recent: string[] = [];
  for (const node of found) {
    const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }));
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) >= 20) recent.push(node);
  }
  return recent;
}
