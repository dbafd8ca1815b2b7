import { appendFile, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { generateFiles, writeFiles } from '../../../../scripts/contract/generate/files.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { compileErrors } from '../../../../scripts/lab/public-contracts/tools.ts';
import { writeDocument } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { attackedDocument, bookDocument, withRichParts } from '../hostile-document.ts';

const generate = (...given: string[]) => runCommand(['generate', ...given]);

// So each generation produces the same bytes.
test('the committed generated files match the contract', async () => {
  expect(await generate('--check')).toMatchObject({ code: 0, err: '' });
});

test('generate --check lists all stale, missing and extra files, with the commands that fix them', async () => {
  const out = await temporaryFolder();
  await generate('--out', out);
  await appendFile(join(out, 'types.ts'), '// changed by hand');
  await rm(join(out, 'operations.ts'));
  await writeFile(join(out, 'left-over.ts'), '');

  const { code, err } = await generate('--out', out, '--check');
  expect(code).toBe(1);
  expect(err).toContain('types.ts is stale');
  expect(err).toContain('operations.ts is missing');
  expect(err).toContain(`Run: rm '${out}/left-over.ts'`);
  expect(err).toContain(`Run: npm run generate -- --api openapi/openapi.yaml --out '${out}'`);

  const { out: json } = await generate('--out', out, '--check', '--json');
  expect(JSON.parse(json)).toEqual({
    fresh: false,
    findings: [
      { name: 'operations.ts', problem: 'missing' },
      { name: 'types.ts', problem: 'stale' },
      { name: 'left-over.ts', problem: 'stray' },
    ],
  });
});

test('generate exits with 2 and writes nothing if the contract cannot be read or an option is unknown', async () => {
  const out = await temporaryFolder();
  const { code, err } = await generate('--api', 'nowhere.yaml', '--out', out);
  expect(code).toBe(2);
  expect(err).toContain('nowhere.yaml');
  expect((await generate('--chek')).code).toBe(2);
  expect(await readdir(out)).toEqual([]);
});

const apis: Record<string, string> = {
  'bookshop.yaml': `
    const copy = { title: 'Emma', shelf: 'A1' };
    export const api = {
      listCopies: async ({ path, query, caller }) => {
        const isbn: string = path.isbn;
        const limit: number = query.limit;
        const currency: 'EUR' | 'SEK' = query.currency;
        const shelf: string[] | undefined = query.shelf;
        const nobody: undefined = caller;
        if (limit === 1) return { status: 206, body: [copy] };
        if (isbn === '') return { status: 404, body: { title: 'No such book' } };
        if (shelf) return { status: 503, body: { title: currency } };
        return { status: 200, headers: { 'X-Count': 1 }, mediaType: 'text/csv', body: String(nobody) };
      },
      'add-copy': async ({ body }) => (typeof body === 'string' ? { status: 202 } : { status: 201, body }),
      getPing: async () => ({ status: 204 }),
    } satisfies Api;
    export const wrong = {
      ...api,
      // @ts-expect-error a required header is missing
      listCopies: async () => ({ status: 200, mediaType: 'text/csv', body: '' }),
      // @ts-expect-error no body is documented
      getPing: async () => ({ status: 204, body: 'pong' }),
    } satisfies Api;`,
  'weather.yaml': `
    export const api = {
      searchReadings: async ({ path, query, headers, caller }) => {
        const station: number = path.station;
        const from: string | undefined = query.between?.from;
        const trace: string = headers['x-trace'];
        if (caller.key !== trace || from) return { status: 304 };
        if (station === 0) return { status: 599 };
        return { status: 200, headers: { Age: 3 }, body: [{ kind: 'wind', speed: null }] };
      },
      replaceReading: async ({ body }) =>
        body?.kind === 'rain' ? { status: 200, body: [body] } : { status: 418, body: {} },
      getForecast: async ({ query }) => ({ status: 200, body: [{ kind: 'rain', depth: query.days ?? 1 }] }),
    } satisfies Api;
    export const wrong = {
      ...api,
      // @ts-expect-error 404 is documented, 500 is not
      replaceReading: async () => ({ status: 500, body: {} }),
    } satisfies Api;
    // @ts-expect-error a handler is missing
    export const missing = { searchReadings: api.searchReadings } satisfies Api;`,
  'accounts.yaml': `
    import createClient from '${resolve('node_modules/openapi-fetch/dist/index.mjs')}';
    import type { FullEvents } from './events.js';
    import { createMock } from './mock.js';
    import type { components, paths, Readable } from './types.ts';
    type Row = { id: number; name: string; password: string };
    declare const row: Row;
    declare const account: Readable<components['schemas']['Account']>;
    export const api = {
      listAccounts: async ({ query }) => {
        const limit: number = query.limit;
        const answer: string | undefined = query.like?.recovery?.answer;
        // @ts-expect-error requests have no ID
        const id: number | undefined = query.like.id;
        return { status: 200, headers: { 'X-Last': account }, body: [{ id: limit, name: String(answer ?? id) }] };
      },
      createAccount: async ({ body }) => {
        const { password: _password, name, recovery, ...rest } = { ...body, id: 1 };
        const id: number = rest.id;
        const asked: { question: string; asked: number } | undefined = recovery && { question: recovery.question, asked: 0 };
        return { status: 201, body: asked ? { id, name, recovery: asked } : { id, name } };
      },
      setPicture: async ({ body }) => {
        const bytes: ArrayBuffer = await body.file.arrayBuffer();
        // @ts-expect-error requests have no hash
        const hash: string = body.hash;
        return { status: 204, ...(bytes || hash ? {} : {}) };
      },
      getUsual: async () => ({ status: 200, body: { id: 1, name: 'Emma' } }),
    } satisfies Api;
    export const wrong = {
      ...api,
      // @ts-expect-error the row has a password, which no response may have
      createAccount: async () => ({ status: 201, body: row }),
      // @ts-expect-error a property of a nested object is write-only
      listAccounts: async () => ({ status: 200, headers: { 'X-Last': account }, body: [{ id: 1, name: '', recovery: { question: '', asked: 1, answer: '' } }] }),
    } satisfies Api;
    createMock({ overrides: { createAccount: ({ body }) => ({ status: 201, body: { id: 1, name: body.name } }) } });
    // @ts-expect-error a response has no password
    createMock({ overrides: { createAccount: () => ({ status: 201, body: row }) } });
    export const idOf = ({ id }: FullEvents['accountCreated']): number => id;
    // @ts-expect-error events have no password
    export const passwordOf = ({ password }: FullEvents['accountCreated']): string => password;
    const client = createClient<paths>();
    export async function call(file: File): Promise<number | undefined> {
      const { data } = await client.POST('/accounts', { body: { name: 'Emma', password: 'p' } });
      await client.GET('/accounts', { params: { query: { limit: 1, like: { name: 'Emma', password: 'p' } } } });
      await client.PUT('/accounts/{id}/picture', { params: { path: { id: 1 } }, body: { file } });
      const { data: usual } = await client.GET('/usual');
      const name: string | undefined = usual?.name;
      // @ts-expect-error clients do not send an ID
      await client.POST('/accounts', { body: { id: 1, name: 'Emma', password: 'p' } });
      // @ts-expect-error clients send a password
      await client.POST('/accounts', { body: { name: 'Emma' } });
      // @ts-expect-error a response has no password
      data?.password;
      return name === undefined ? data?.id : 0;
    }`,
};

test.each(Object.keys(apis))('the types generated for %s accept only correct handlers', async (name) => {
  const out = await temporaryFolder();
  const api = `test/scripts/contract/generate/contracts/${name}`;
  const { code, err } = await generate('--api', api, '--out', out);
  expect([code, err]).toEqual([0, '']);
  const header = `
    import type { ApiOf } from '${resolve('server/contract/handler-types.ts')}';
    import { operations, type OperationTypes } from './operations.ts';
    type Api = ApiOf<OperationTypes, typeof operations, { key: string }, undefined>;`;
  await writeFile(join(out, 'api.ts'), header + apis[name]);
  await writeFile(join(out, 'package.json'), '{"type":"module"}');
  expect(compileErrors([join(out, 'api.ts')], { noUnusedLocals: false })).toEqual([]);
});

test('generated files stay fresh if settings replace the options of the command', async () => {
  const cwd = join(await temporaryFolder(), 'my project');
  await mkdir(cwd);
  await cp('scripts/contract/init/project/openapi.yaml', join(cwd, 'notes.yaml'));
  const options = ['--api', 'notes.yaml', '--out', 'made'];
  expect(await runCommand(['generate', ...options], { cwd })).toMatchObject({ code: 0 });
  const settings = "export default { api: 'notes.yaml', out: 'made' };\n";
  await writeFile(join(cwd, 'parley-contract.config.mjs'), settings);
  expect(await runCommand(['generate', '--check'], { cwd })).toMatchObject({ code: 0 });
});

/** Sets a global, which shows that code has run. */
const run = "globalThis.hostileDocument='ran'";

/** Ends comments, strings of all kinds, template expressions, regular expressions and lines. */
const payload = `*/${run};/*'+(${run})+'"+(${run})+"\`+(${run})+\`\${${run}}\n${run};//\r${run}\u2028${run}\u2029</script>]}/;${run};\\`;

test('generated code contains the texts of a document only as strings and comments', async () => {
  const api = await writeDocument(attackedDocument(withRichParts(bookDocument), (text) => text + payload));
  const folder = dirname(api);
  const { files } = await generateFiles(api, 'npm run generate', withDefaults({}));
  await writeFiles(folder, files);
  for (const [name, text] of Object.entries(files)) {
    if (name.endsWith('.json')) continue;
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
    const { diagnostics = [] } = ts.transpileModule(text, {
      fileName: name.replace('.d.ts', '.ts'),
      reportDiagnostics: true,
    });
    expect(
      diagnostics.map(({ messageText }) => messageText),
      name,
    ).toEqual([]);
    expect(
      statementsOf(source).filter((each) => each.includes('hostileDocument')),
      name,
    ).toEqual([]);
  }
  // Running the modules runs nothing of the document.
  for (const name of ['events.js', 'mock.js', 'operations.ts', 'enums.ts'])
    await import(pathToFileURL(join(folder, name)).href);
  expect(Reflect.get(globalThis, 'hostileDocument')).toBeUndefined();
});

/** Returns the names of a source that are code: neither strings, comments nor regular expressions. */
function statementsOf(source: ts.SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
