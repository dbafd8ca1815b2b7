import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { parseYaml } from '../../../../scripts/contract/load/parse-yaml.ts';
import { loadFiles, readYaml, writeDocument, writeFiles } from '../../../support/documents.ts';
import { serveRoutes } from '../../../support/implementations.ts';
import { runCommand } from '../../../support/run-command.ts';

type BrokenDocument = [at: string, message: string, text: string | Record<string, string>];
const broken: Record<string, BrokenDocument> = readYaml(import.meta.dirname, 'broken-documents.yaml');
const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n';

test.each(Object.entries(broken))(
  'rejects %s, and names the file, the line and a fix',
  async (_name, [at, message, text]) => {
    const root = await writeFiles(typeof text === 'string' ? { 'root.yaml': head + text } : text);
    const error = await loadContract(root).then(
      () => expect.fail('It was accepted.'),
      (thrown: Error) => thrown.message,
    );
    expect(error).toContain(message);
    expect(error).toContain(at.includes(':') ? `${at}:` : at);
    expect(error).toContain('\n  → ');
    if (at.includes(':')) expect(error).toMatch(/\n {2}at \//);
  },
);

test('rejects a file in another encoding than UTF-8', async () => {
  const root = await writeFiles({ 'root.yaml': '' });
  await writeFile(root, `${head}paths: { /café: {} }`, 'latin1');
  await expect(loadContract(root)).rejects.toThrow(`${root} is not valid UTF-8.`);
});

test('names the place of a keyword next to a reference that OpenAPI 3.0 ignores', async () => {
  const schema = "{ $ref: '#/components/schemas/B', nullable: true }";
  const { sentences } = await loadFiles({
    'root.yaml': `${head.replace('3.1.1', '3.0.3')}paths: {}\ncomponents:\n  schemas:\n    B: { type: string }\n    A:\n      properties: { a: ${schema} }\n`,
  });
  expect(sentences).toEqual([
    expect.stringMatching(
      /root\.yaml:8:21 Keywords next to references, such as nullable, which .* left out\.$/,
    ),
  ]);
});

// Azure/autorest#4344
test('gives the operations of a path in Swagger 2.0 the body that they share, unless they have their own', async () => {
  const body = (name: string) => `{ name: ${name}, in: body, schema: { title: ${name} } }`;
  const { contract } = await loadFiles({
    'root.yaml': `swagger: '2.0'
info: { title: T, version: '1' }
paths:
  /a:
    put: { responses: {} }
    post: { parameters: [${body('own')}], responses: {} }
    parameters: [${body('shared')}, { name: q, in: query, type: integer }]
`,
  });
  const described = contract.operations.map(({ method, parameters, body: read }) => [
    ...[method, parameters.map(({ name }) => name)],
    read?.content.map(({ schema }) => schema),
  ]);
  expect(described).toEqual([
    ['put', ['q'], [{ title: 'shared' }]],
    ['post', ['q'], [{ title: 'own' }]],
  ]);
});

test.each([
  [
    '{ type: string, required: true }',
    '[application/json]',
    true,
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
  ],
  ['{ type: file, required: true }', '[]', true, ['multipart/form-data']],
  ['{ type: string }', '[application/x-www-form-urlencoded]', false, ['application/x-www-form-urlencoded']],
])(
  'gives a form of Swagger 2.0 with the field %s and consumes %s its media types',
  async (field, consumes, required, types) => {
    const parameters = `[${field.replace('{', '{ name: a, in: formData,')}]`;
    const { contract } = await loadFiles({
      'root.yaml': `swagger: '2.0'\ninfo: { title: T, version: '1' }\nconsumes: ${consumes}\npaths: { /a: { post: { parameters: ${parameters}, responses: {} } } }\n`,
    });
    const [{ body } = {}] = contract.operations;
    expect([body?.required, body?.content.map(({ mediaType }) => mediaType)]).toEqual([required, types]);
  },
);

const examples = globSync('node_modules/@readme/oas-examples/{2.0,3.0,3.1}/json/*.json').sort();

/** The invalid example, with the expected error message. */
const invalid: Record<string, RegExp> = {
  '3.1/json/schema-validation-top-level.json': /dialect .*draft-04.* is not supported/,
};

/** The examples with operations that are disabled, with the expected sentence. */
const partial: Record<string, RegExp> = {
  '3.0/json/parameters-style.json': /contains #, so no request can match it/,
  '3.1/json/parameters-style.json': /contains #, so no request can match it/,
  '3.1/json/schema-validation-local.json': /exclusiveMaximum must be a number/,
};

test.each(examples)('loads %s as OpenAPI 3.1, or rejects it if it is invalid', async (file) => {
  const name = file.split('oas-examples/')[1] ?? '';
  const sentences: string[] = [];
  const loading = loadContract(file, { onIgnored: (sentence) => sentences.push(sentence) });
  if (invalid[name]) await expect(loading).rejects.toThrow(invalid[name]);
  else expect((await loading).document.openapi).toMatch(/^3\.1\./);
  const disabling = sentences.filter((each) => each.includes('Disabled because of it'));
  expect(disabling.length > 0).toBe(partial[name] !== undefined);
  for (const each of disabling) expect(each).toMatch(partial[name] ?? '');
});

test('names three of the parts that are ignored for the same reason, and counts the others', async () => {
  const schemas = ['A', 'B', 'C', 'D', 'E'].map((name) => `    ${name}: { type: integer, default: x }\n`);
  const { sentences } = await loadFiles({
    'root.yaml': `${head}paths: {}\ncomponents:\n  schemas:\n${schemas.join('')}`,
  });
  expect(sentences.map((each) => each.slice(each.indexOf('root.yaml')))).toEqual([
    expect.stringMatching(
      /^root\.yaml:6:\d+ The default at \S*\/A violates its own schema, and is ignored\.$/,
    ),
    expect.stringMatching(/^root\.yaml:7:\d+ The default at \S*\/B .* ignored\.$/),
    expect.stringMatching(/^root\.yaml:8:\d+ The default at \S*\/C .* There are 2 more like it\.$/),
  ]);
});

const binary = { '3.0.3': { type: 'string', format: 'binary' }, '3.1.1': { contentMediaType: 'image/png' } };

/** Serves a contract whose form has one image and a list of others. */
async function serve(openapi: keyof typeof binary): Promise<string> {
  const image = binary[openapi];
  const schema = {
    type: 'object',
    required: ['image'],
    properties: { image: { $ref: '#/components/schemas/Image' }, others: { type: 'array', items: image } },
  };
  const post = {
    operationId: 'addImage',
    requestBody: { required: true, content: { 'multipart/form-data': { schema } } },
    responses: { 200: { description: 'Added.' } },
  };
  const document = {
    openapi,
    info: { title: 'Images', version: '1' },
    paths: { '/images': { post } },
    components: { schemas: { Image: image } },
  };
  const url = await serveRoutes(await writeDocument(document), onTestFinished, () => ({ status: 200 }));
  return `${url}/images`;
}

const form = (...names: string[]): FormData => {
  const made = new FormData();
  for (const name of names) made.append(name, new File(['x'], 'x.png', { type: 'image/png' }));
  return made;
};

test.each(['3.0.3', '3.1.1'] as const)(
  'a form of OpenAPI %s has one file, unless it has a list of them',
  async (version) => {
    const url = await serve(version);
    const send = async (...names: string[]) => {
      const response = await fetch(url, { method: 'POST', body: form(...names) });
      return [response.status, await response.text()];
    };
    expect(await send('image', 'others', 'others')).toEqual([200, '']);
    expect(await send('image', 'image')).toEqual([400, expect.stringContaining('image must be one file')]);
  },
);

const wrong = 'openapi: 3.1.1\npaths:\n  /a:\n    get:\n      operationId: a\n     responses: {}\n';
const excerpt = `:6:6 The file is not valid YAML or JSON: bad indentation of a mapping entry.
  5 |       operationId: a
  6 |      responses: {}
    |      ^
  → Correct this line, or the one before it.`;

test.each([['doctor'], ['lint'], ['check', '--only', 'lint']])(
  '%s shows file, line, column and an excerpt of a contract that cannot be parsed',
  async (...given) => {
    const file = await writeFiles({ 'openapi.yaml': wrong });
    const { code, out, err } = await runCommand([...given, '--api', file]);
    expect(code, out + err).toBeGreaterThan(0);
    expect((out + err).split(`openapi.yaml${excerpt}`)).toHaveLength(2);
  },
);

test('names the file with the mistake, not the one that refers to it', async () => {
  const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n';
  const root = await writeFiles({
    'root.yaml': `${head}paths:\n  /a: { $ref: parts/a.yaml }\n  /b: { $ref: parts/a.yaml }\n`,
    'parts/a.yaml': wrong,
  });
  const { err } = await runCommand(['doctor', '--api', root]);
  expect(err).toMatch(/^✘ (?!.*root\.yaml).*parts\/a\.yaml:6:6 /);
  expect(err.split(excerpt)).toHaveLength(2);
});

test('says what is wrong with the path of a contract', async () => {
  const file = await writeFiles({ 'a-file': '' });
  const { err } = await runCommand(['doctor', '--api', join(file, 'openapi.yaml')]);
  expect(err).toBe(
    `✘ ${join(file, 'openapi.yaml')} has a part that is a file, not a folder. Correct the path.\n`,
  );
});

test('shows a part of a long line', () => {
  const before = `{"a": "${'x'.repeat(300)}", `;
  expect(() => parseYaml('a.json', `${before}}}${' '.repeat(300)}`)).toThrow(
    new RegExp(`^a\\.json:1:${before.length + 2} .*\\n {2}1 \\| x{46}", \\}\\}\\n {4}\\| {51}\\^\\n`),
  );
});

test('names the line at which a second document begins', () => {
  expect(() => parseYaml('a.yaml', 'a: 1\n---\nb: 2\n')).toThrow(
    /^a\.yaml:2:1 .* expected a single document/,
  );
});

test('names the line of a scenario file that cannot be parsed', async () => {
  const file = await writeFiles({ 'scenarios.yaml': 'slow:\n  listContacts: { prefer: wait=1\n' });
  const { err } = await runCommand(['mock', '--port', '0', '--scenarios', file]);
  expect(err).toMatch(/scenarios\.yaml:3:1 The file is not valid YAML or JSON: .*\n {2}2 \| {3}listContacts/);
});

const done = "responses: { '204': { description: Done. } }";

/** Returns a contract with the given operations, one per line from line 4. */
const documentOf = (operations: readonly string[], openapi = '3.1.1'): string =>
  `openapi: ${openapi}\ninfo: { title: T, version: 1.0.0 }\npaths:\n${operations.join('\n')}\n`;

const get = (path: string, id?: string): string =>
  `  ${path}: { get: { ${id === undefined ? '' : `operationId: ${id}, `}${done} } }`;

/** Returns the IDs of a contract by path, and what loading it says. */
async function load(text: string) {
  const { contract, sentences } = await loadFiles({ 'root.yaml': text });
  return { ids: Object.fromEntries(contract.operations.map(({ path, id }) => [path, id])), sentences };
}

test.each(['3.0.3', '3.1.1'])(
  'gives the later operations with an ID a number, which no other operation has, in OpenAPI %s',
  async (openapi) => {
    const paths = [get('/a', 'list'), get('/b', 'list'), get('/c', 'list2'), get('/d', 'list')];
    const { ids, sentences } = await load(documentOf(paths, openapi));
    expect(ids).toEqual({ '/a': 'list', '/b': 'list3', '/c': 'list2', '/d': 'list4' });
    expect(sentences).toEqual([
      expect.stringMatching(
        /root\.yaml:5:\d+ The operationId list is used twice: by GET \/a and GET \/b\. That of GET \/b is read as list3\.\n {2}→ Give each/,
      ),
      expect.stringMatching(/root\.yaml:7:\d+ The operationId list is used twice: by GET \/a and GET \/d\./),
    ]);
  },
);

test('changes no ID that is documented once, and derives IDs that no operation has', async () => {
  const paths = [get('/a'), get('/b', 'getA'), get('/x-y'), get('/x/y'), get('/c', 'toString')];
  const { ids, sentences } = await load(documentOf(paths));
  expect(Object.values(ids)).toEqual(['getA2', 'getA', 'getXY', 'getXY2', 'toString']);
  expect(sentences).toEqual([]);
});

test('compares a contract with a base whose operationId is used twice', async () => {
  const base = await writeFiles({ 'base.yaml': documentOf([get('/a', 'list'), get('/b', 'list')]) });
  const api = await writeFiles({ 'root.yaml': documentOf([get('/a', 'list'), get('/b', 'listOthers')]) });
  const { code, out, err } = await runCommand(['check', '--api', api, '--base', base, '--only', 'changes']);
  expect(code, out + err).toBe(0);
  expect(err).toMatch(/The base .*base\.yaml: .*base\.yaml:5:\d+ The operationId list is used twice/);
});

test('generates code for the repaired IDs, and lint reports the repeated one as an error', async () => {
  const api = await writeFiles({ 'root.yaml': documentOf([get('/a', 'list'), get('/b', 'list')]) });
  const generated = await runCommand(['generate', '--api', api, '--out', join(api, '../generated')]);
  expect(generated.code, generated.err).toBe(0);
  expect(generated.err.split('The operationId list is used twice')).toHaveLength(2);
  const linted = await runCommand(['lint', '--api', api]);
  expect(linted.code).toBe(1);
  expect(linted.out + linted.err).toMatch(/operation-operationId-unique/);
});
