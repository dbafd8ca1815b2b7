import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateContractModule } from '../../../scripts/contract/generate/contract-module.ts';
import { installPackages } from '../../../scripts/lab/adoption/packages.ts';
import { buildRuntime } from '../../../scripts/runtime-package/build-runtime.ts';
import { array, content, documentOf, object, responses, string } from '../../support/documents.ts';
import { isLong } from '../../support/sampling.ts';
import { startListening } from '../../support/start-listening.ts';
import { afterAllTests, temporaryFolder } from '../../support/temporary-folder.ts';

const note = object({ text: { ...string, minLength: 1 } }, 'text');
const contract = documentOf({
  '/notes': {
    get: { operationId: 'listNotes', responses: responses(array(note), 200) },
    post: {
      operationId: 'createNote',
      requestBody: { required: true, ...content(note) },
      responses: responses(note, 201),
    },
  },
});

const handlers = `export const handlers = {
  listNotes: async () => ({ status: 200, body: [{ text: 'Milk' }] }),
  createNote: async ({ body }) => ({ status: 201, body }),
};
`;

let folder: string;

/** The samples of the reference by file name, in a project with the runtime. */
beforeAll(async () => {
  folder = join(await temporaryFolder(afterAllTests), 'my app');
  const reference = await readFile('openapi/guides/toolchain-reference.md', 'utf8');
  await mkdir(join(folder, 'generated'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await writeFile(join(folder, 'handlers.js'), handlers);
  for (const [, name = '', code = ''] of reference.matchAll(/^```js (\S+)\n(.*?)^```$/gms))
    await writeFile(join(folder, name), code);
  const files = await generateContractModule(contract);
  await writeFile(join(folder, 'generated/contract.js'), files['contract.js'] ?? '');
  if (isLong) {
    // Before the runtime is there, because npm removes what the manifest does not name.
    await installPackages(folder, ['hono@4', 'fastify@5']);
  }
  const runtime = join(folder, 'node_modules/parley-contract-runtime');
  await mkdir(runtime, { recursive: true });
  await buildRuntime(runtime);
}, 120_000);

/** Imports a sample, in the process of the test. */
const sample = (name: string) => import(pathToFileURL(join(folder, name)).href);

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Sends valid and invalid requests, and expects what the contract says. */
async function expectEnforced(send: Send): Promise<void> {
  const listed = await send('/notes');
  expect([listed.status, await listed.json()]).toEqual([200, [{ text: 'Milk' }]]);
  const post = (body: unknown) =>
    send('/notes', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const created = await post({ text: 'Bread' });
  expect([created.status, await created.json()]).toEqual([201, { text: 'Bread' }]);
  expect((await post({ text: '' })).status).toBe(400);
}

const overHttp =
  (base: string): Send =>
  (path, init) =>
    fetch(base + path, init);

test('the sample of a worker enforces the contract', async () => {
  const { default: worker } = await sample('worker.js');
  await expectEnforced((path, init) => worker.fetch(new Request(`http://localhost${path}`, init)));
});

test('the sample of Node without a framework enforces the contract', async () => {
  const { server } = await sample('node.js');
  await expectEnforced(overHttp(await startListening(server)));
});

test('the sample of Next.js enforces the contract', async () => {
  const { GET, POST } = await sample('route.js');
  await expectEnforced((path, init) =>
    (init?.method === 'POST' ? POST : GET)(new Request(`http://localhost${path}`, init)),
  );
});

describe.runIf(isLong)('with packages of the registry', () => {
  test('the sample of Hono enforces the contract, and leaves other paths to the application', async () => {
    const { app } = await sample('hono.js');
    await expectEnforced((path, init) => app.request(path, init));
    expect(await (await app.request('/')).text()).toBe('Hello');
  });

  test('the sample of Fastify enforces the contract', async () => {
    const { app } = await sample('fastify.js');
    await app.ready();
    await expectEnforced(overHttp(await app.listen({ port: 0, host: '127.0.0.1' })));
    await app.close();
  });
});
