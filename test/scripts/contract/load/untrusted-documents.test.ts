import { globSync, readFileSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { runRedocly } from '../../../../scripts/lib/redocly-cli.ts';
import { compileDocument } from '../../../../scripts/package/compile-document.ts';
import { writeFiles } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  type HostileReference,
  hostileReferences,
  largeDocuments,
  referencesInData,
  withSchema,
} from './untrusted-documents.ts';

const secret = 'SECRET-OF-ANOTHER-PROJECT';

/** Creates a project, files outside of it, and a server that counts its requests. */
async function hostileProject() {
  const calls: string[] = [];
  const url = await startListening((req, res) => {
    calls.push(req.url ?? '');
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ description: secret }));
  });
  const outside = await temporaryFolder();
  const project = join(outside, 'project');
  await mkdir(join(project, 'openapi'), { recursive: true });
  await mkdir(join(project, '.git'));
  await writeFile(join(outside, 'secret.yaml'), `type: string\ndescription: ${secret}\n`);
  await writeFile(join(project, 'inside.yaml'), 'type: string\n');
  await symlink(join(outside, 'secret.yaml'), join(project, 'openapi/link.yaml'));
  await symlink(outside, join(project, 'openapi/up'));
  const root = join(project, 'openapi/root.json');
  return { calls, url, outside, project, root };
}

test.each(hostileReferences)('does not follow $name, and names file and line', async (reference) => {
  const { root, calls, ...at } = await hostileProject();
  await writeFile(root, JSON.stringify(reference.document(at), null, 2));
  const error = await loadContract(root).then(
    () => expect.fail('It was accepted.'),
    (thrown: Error) => thrown.message,
  );
  expect(error).toContain(reference.message);
  expect(error).toMatch(/root\.json:([2-9]|\d\d+):\d+ /);
  expect(error).toContain('\n  → ');
  expect(error).not.toContain(secret);
  expect(calls).toEqual([]);
});

test.each(referencesInData)('keeps $name as it is, and does not follow it', async ({ document }) => {
  const { root, calls, ...at } = await hostileProject();
  const written = document(at);
  await writeFile(root, JSON.stringify(written, null, 2));
  const loaded = await loadContract(root, { onIgnored: () => {} });
  expect(loaded.document).toMatchObject({ paths: Object(written).paths });
  expect(calls).toEqual([]);
});

const commands: [string, string[]][] = [
  ['generate', ['--out', 'output']],
  ['docs', ['--out', 'output']],
  ['doctor', []],
  ['lint', []],
  ['check', ['--base', 'openapi/root.json', '--markdown', 'output.md']],
  ['check', ['--base', 'openapi/root.json', '--only', 'score', 'lint', '--markdown', 'output.md']],
  ['mock', ['--port', '0']],
  ['test', ['--url', 'http://127.0.0.1:1']],
  ['coverage', []],
  ['survive', ['--list']],
];

test.each(commands)('%s %j follows no reference that leaves the project', async (command, more) => {
  const { root, calls, project, ...at } = await hostileProject();
  for (const inData of [false, true]) {
    const documents = (inData ? referencesInData : hostileReferences).filter(
      ({ document }) => 'paths' in document(at) && !isOfOtherPart(document(at)),
    );
    await writeFile(root, JSON.stringify(joined(documents, at)));
    const { code, out, err } = await runCommand([command, '--api', 'openapi/root.json', ...more], {
      cwd: project,
    });
    expect(calls).toEqual([]);
    const written = globSync(join(project, 'output*/**'), { withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'));
    expect([out, err, ...written].join('\n')).not.toContain(secret);
    if (!inData) expect(code, out).toBeGreaterThan(0);
  }
});

/** Returns one document with the operations of several. */
const joined = (references: readonly HostileReference[], at: { url: string; outside: string }) => ({
  openapi: '3.1.1',
  info: { title: 'T', version: '1.0.0' },
  paths: Object.fromEntries(
    references.map(({ document }, index) => [
      `/p${index}`,
      JSON.parse(
        JSON.stringify(Object.values(Object(document(at)).paths)[0]).replace('listParts', `list${index}`),
      ),
    ]),
  ),
});

const isOfOtherPart = (document: object) => typeof Object(document).info?.description === 'object';

test('a document may refer to files of its git checkout, and to allowed folders', async () => {
  const { root, outside } = await hostileProject();
  await writeFile(
    root,
    JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'T', version: '1' },
      paths: {},
      components: { schemas: { A: { $ref: '../inside.yaml' }, B: { $ref: '../../secret.yaml' } } },
    }),
  );
  await expect(loadContract(root)).rejects.toThrow(`--allow-outside ${outside}`);
  const { document } = await loadContract(root, { allowOutside: [outside] });
  expect(document.components?.schemas).toMatchObject({ secret: { description: secret } });
});

test.each([
  ['code/api', 'openapi.json', '../../.ssh/key.yaml'],
  ['.', 'code/api/openapi.json', '../../.ssh/key.yaml'],
  ['.', 'openapi.json', '.ssh/key.yaml'],
  ['code', '../openapi.json', '.ssh/key.yaml'],
])(
  'the home folder is no project, even as a git checkout: from %s, %s cannot refer to %s',
  async (cwd, api, $ref) => {
    const home = await temporaryFolder();
    for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const folder of ['.git', '.ssh', 'code/api']) await mkdir(join(home, folder), { recursive: true });
    await writeFile(join(home, '.ssh/key.yaml'), `type: string\ndescription: ${secret}\n`);
    await writeFile(join(home, 'code/api/part.yaml'), 'type: string\n');
    const run = async (schema: object) => {
      await writeFile(join(home, cwd, api), JSON.stringify(withSchema(schema)));
      return runCommand(['generate', '--api', api, '--out', join(home, 'out')], { cwd: join(home, cwd) });
    };
    expect((await run({ $ref })).err).toMatch(/leads outside of the project's folder.*\n.*--allow-outside/);
    if (api.startsWith('code') || cwd === 'code/api')
      expect(await run({ $ref: 'part.yaml' })).toMatchObject({ code: 0 });
  },
);

test('the root of a document is no symbolic link to another project', async () => {
  const { root, outside, project } = await hostileProject();
  await writeFile(root, JSON.stringify({ openapi: '3.1.1', info: { title: 'T', version: '1' }, paths: {} }));
  await rename(root, join(outside, 'other.json'));
  await symlink(join(outside, 'other.json'), root);
  await expect(loadContract(root)).rejects.toThrow(/leads outside of the project's folder/);
  await expect(loadContract(root)).rejects.toThrow(project);
});

test.each(Object.entries(largeDocuments))(
  'rejects %s before they are expanded',
  async (_name, [text, message]) => {
    const head = "openapi: 3.1.1\ninfo: {title: T, version: '1'}\npaths: {}\n";
    const root = await writeFiles({ 'root.yaml': head + text, 'text.txt': 'y'.repeat(200_000) });
    await expect(loadContract(root)).rejects.toThrow(message);
  },
);

test('the middleware follows no reference, neither of a file nor of an object', async () => {
  const { root, calls, ...at } = await hostileProject();
  const hostile = hostileReferences.find(({ name }) => name === 'a URL') ?? expect.fail();
  const document = hostile.document(at);
  await writeFile(root, JSON.stringify(document));
  await expect(compileDocument(root)).rejects.toThrow(hostile.message);
  await expect(compileDocument({ openapi: '3.1.1', ...document })).rejects.toThrow(/Bundle it first/);
  expect(calls).toEqual([]);
});

test("Redocly's processes have no network, even if a configuration needs it", async () => {
  const { root, calls, url, project } = await hostileProject();
  await writeFile(root, JSON.stringify({ openapi: '3.1.1', info: { title: 'T', version: '1' }, paths: {} }));
  const config = join(project, 'redocly.yaml');
  await writeFile(config, `extends: ['${url}/rules.yaml']\n`);
  const { errors } = await runRedocly(['lint', root, '--config', config]);
  expect(errors).toMatch(/resolve.*fetch failed/);
  expect(calls).toEqual([]);
});

test('a workflow may not refer to an API description outside of the project', async () => {
  const { project, root, calls, url } = await hostileProject();
  await writeFile(root, JSON.stringify({ openapi: '3.1.1', info: { title: 'T', version: '1' }, paths: {} }));
  await mkdir(join(project, 'openapi/workflows'));
  const { findWorkflows } = await import('../../../../scripts/contract/check/find-workflows.ts');
  for (const [source, message] of [
    [`${url}/openapi.yaml`, /documents are read without network/],
    ['../../../secret.yaml', /leads outside of the project's folder/],
  ] as const) {
    await writeFile(
      join(project, 'openapi/workflows/a.yaml'),
      `arazzo: 1.0.1\ninfo: {title: T, version: '1'}\nsourceDescriptions: [{name: a, url: '${source}', type: openapi}]\nworkflows: []\n`,
    );
    await expect(findWorkflows(root, {})).rejects.toThrow(message);
    await writeFile(
      join(project, 'openapi/workflows/a.yaml'),
      `arazzo: 1.0.1\ninfo: {title: T, version: '1'}\nx-s: &s {url: '${source}'}\nsourceDescriptions: [{name: a, <<: *s, type: openapi}]\nworkflows: []\n`,
    );
    await expect(findWorkflows(root, {}), 'with a merge key').rejects.toThrow(message);
  }
  expect(calls).toEqual([]);
});
