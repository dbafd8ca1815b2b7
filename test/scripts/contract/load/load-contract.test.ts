import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { loadFiles, writeFiles } from '../../../support/load-document.ts';
import { readYaml } from '../../../support/read-yaml.ts';

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
