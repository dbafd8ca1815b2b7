import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { validateExamples } from '../../../../scripts/contract/check/checks/examples.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { isInData } from '../../../../scripts/contract/load/references-in-data.ts';
import { loadFiles, writeFiles } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';

const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n';

const response = (schema: string, more = ''): string =>
  `    get:\n      operationId: read\n      responses:\n        '200':\n          description: Yes.\n          content:\n            application/json:\n              schema: ${schema}\n${more}`;

test('decodes percent-encoded names of files, and locates parts of these files', async () => {
  const { contract } = await loadFiles({
    'root.yaml': `${head}paths:\n  /notes/{id}: { $ref: 'paths/note-%7Bid%7D.yaml' }\n`,
    'paths/note-{id}.yaml': `parameters: [{ name: id, in: path, required: true, schema: { type: string } }]\n${response("{ $ref: '../all%20parts/Note%2B.yaml' }").replaceAll(/^ {4}/gm, '')}`,
    'all parts/Note+.yaml': 'type: object\nproperties:\n  text: { type: string }\n',
  });
  const schema = contract.operations[0]?.responses['200']?.content[0]?.schemaPointer ?? '';
  expect(await contract.locate(`${schema}/properties/text`)).toMatchObject({
    file: expect.stringMatching(/all parts\/Note\+\.yaml$/),
    line: 3,
  });
});

// OpenAPI 3.1.1, section 4.8.9: only a field that both have is undefined.
test('reads the operations and parameters next to the reference of a path item, also through another one', async () => {
  const operation = 'responses: { 204: { description: Done. } }';
  const { contract } = await loadFiles({
    'root.yaml': `${head}paths:
  /a/{id}:
    $ref: '#/components/pathItems/Outer'
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${operation} }
components:
  pathItems:
    Outer: { $ref: '#/components/pathItems/Inner', put: { ${operation} } }
    Inner: { post: { ${operation} } }
`,
  });
  expect(contract.operations.map(({ method }) => method)).toEqual(['get', 'put', 'post']);
  for (const { parameters } of contract.operations)
    expect(parameters).toMatchObject([{ name: 'id', schema: { type: 'integer' } }]);
});

test('locates parts of a schema that is at the top of its file, or below a name of its own', async () => {
  const root = await writeFiles({
    'root.yaml': `${head}paths:\n  /a:\n${response("{ $ref: 'parts.yaml#/Score' }")}`,
    'parts.yaml':
      "Score: { properties: { page: { $ref: '#/types/Page' } } }\ntypes:\n  Page: { type: integer }\n",
  });
  const contract = await loadContract(root);
  const places = ['Score/properties/page', 'Page/type'].map((path) =>
    contract.locate(`/components/schemas/${path}`),
  );
  expect(await Promise.all(places)).toMatchObject([
    { file: expect.stringMatching(/parts\.yaml$/), line: 1 },
    { file: expect.stringMatching(/parts\.yaml$/), line: 3 },
  ]);
});

test('lint says which files behind percent-encoded references the rules do not read', async () => {
  const root = await writeFiles({
    'root.yaml': `${head}paths:\n  /a:\n${response("{ $ref: 'a%20b.yaml' }")}`,
    'a b.yaml': 'type: string\n',
  });
  const { code, out } = await runCommand(['lint', '--api', root]);
  expect(code, out).toBe(0);
  expect(out).toMatch(
    /warning no-unresolved-refs .*root\.yaml:\d+:\d+\n {2}The rules do not read .*a b\.yaml/,
  );
});

test('reads $ref in data, and in the names of properties, as any other name', async () => {
  const more = "              example: { $ref: '#/nowhere', text: a }\n";
  const schema =
    "{ type: object, properties: { $ref: { type: string }, example: { $ref: '#/components/schemas/Text' }, any: { default: { $ref: gone.yaml } } } }";
  const components =
    "components:\n  schemas: { Text: { type: string }, value: { $ref: '#/components/schemas/Text' } }\n  examples: { one: { value: { $ref: gone.yaml } } }\n";
  const files = { 'root.yaml': `${head}paths:\n  /a:\n${response(schema, more)}${components}` };
  const { contract, sentences } = await loadFiles(files);
  expect(sentences).toEqual([]);
  const [body] = contract.operations[0]?.responses['200']?.content ?? [];
  expect(body?.examples.map(({ value }) => value)).toEqual([{ $ref: '#/nowhere', text: 'a' }]);
  expect(body?.schema).toHaveProperty('properties.any.default', { $ref: 'gone.yaml' });
  expect(contract.document.components).toHaveProperty('examples.one.value', { $ref: 'gone.yaml' });
  expect(validateExamples(contract).flatMap(({ problems }) => problems)).toEqual([]);
  const root = await writeFiles(files);
  expect(await runCommand(['lint', '--api', root])).toMatchObject({ code: 0 });
  expect(await runCommand(['check', '--api', root, '--base', root])).toMatchObject({ code: 0 });
});

test('follows references of parts with names like default in files that are maps of parts', async () => {
  const { contract } = await loadFiles({
    'root.yaml': `${head}paths:\n  /a:\n    get:\n      responses: { $ref: responses.yaml }\n${response("{ $ref: 'parts.yaml#/schemas/value' }").replaceAll(/^ {4}get/gm, '    put')}`,
    'responses.yaml': "default: { $ref: 'parts.yaml#/responses/x-error' }\n",
    'parts.yaml':
      'schemas: { value: { properties: { a: { $ref: text.yaml } } } }\nresponses: { x-error: { description: Error. } }\n',
    'text.yaml': 'type: string\n',
  });
  const [read, write] = contract.operations;
  expect(read?.responses.default?.node).toMatchObject({ description: 'Error.' });
  const schema = write?.responses['200']?.content[0]?.schemaPointer ?? '';
  expect(contract.resolve(`${schema}/properties/a`)).toEqual({ $ref: '#/components/schemas/text' });
});

test.each([
  ['/paths/~1a/get/example/a', true],
  ['/components/schemas/A/examples/0/a', true],
  ['/components/schemas/A/properties/example/type', false],
  ['/components/schemas/default/type', false],
  ['/components/examples/example/value/a', true],
  ['/components/examples/example/summary', false],
  ['/info/x-more/a', true],
])('knows that %s is data: %s', (pointer, expected) => {
  expect(isInData(pointer)).toBe(expected);
});

test('names the places of references that only lead to each other, in all their files', async () => {
  const root = await writeFiles({
    'root.yaml': `${head}paths:\n  /a:\n${response('{ $ref: one.yaml }')}`,
    'one.yaml': '# The first.\n$ref: two.yaml#/Two\n',
    'two.yaml': 'Two: { $ref: one.yaml }\n',
  });
  const error = await loadContract(root).catch((thrown: Error) => thrown.message);
  expect(error).toMatch(/^\S*.*one\.yaml:2:1 The reference leads in a circle: it refers to .*two\.yaml:1:1/);
  expect(error).toContain('\n  → Replace one of the references');
});

test('names a schema to which no value conforms, because each would contain another', async () => {
  const schemas = [
    'Endless: { type: object, required: [a], properties: { a: { type: array, minItems: 1, items: { $ref: "#/components/schemas/Endless" } } } }',
    'Optional: { type: object, properties: { value: { $ref: "#/components/schemas/Optional" } } }',
    'Nullable: { type: [object, "null"], required: [a], properties: { a: { $ref: "#/components/schemas/Nullable" } } }',
    'List: { type: array, items: { $ref: "#/components/schemas/List" } }',
    'Choice: { oneOf: [{ $ref: "#/components/schemas/Endless" }, { type: object, required: [value], properties: { value: { $ref: "#/components/schemas/Leaf" } } }] }',
    'Leaf: { type: string }',
    'Users: { type: object, required: [c], properties: { c: { $ref: "#/components/schemas/Choice" }, o: { $ref: "#/components/schemas/Optional" }, n: { $ref: "#/components/schemas/Nullable" }, l: { $ref: "#/components/schemas/List" } } }',
  ];
  const { sentences } = await loadFiles({
    'root.yaml': `${head}paths:\n  /a:\n${response('{ $ref: "#/components/schemas/Users" }')}components:\n  schemas:\n${schemas.map((each) => `    ${each}\n`).join('')}`,
  });
  expect(sentences).toEqual([
    expect.stringMatching(
      /root\.yaml:15:\d+ No value conforms to the schema at \/components\/schemas\/Endless,/,
    ),
  ]);
});

test('does not compare the text of an XML example with the schema', async () => {
  const content = (type: string) => `            ${type}: { schema: { type: object }, example: '<a/>' }\n`;
  const { contract } = await loadFiles({
    'root.yaml': `${head}paths:\n  /a:\n    get:\n      responses:\n        '200':\n          description: Yes.\n          content:\n${content('application/xml')}${content('application/json')}`,
  });
  const wrong = validateExamples(contract).filter(({ problems }) => problems.length > 0);
  expect(wrong.map(({ where }) => where)).toEqual(['GET /a 200 application/json']);
});

test('lint reports what its rules find in all files besides the mistake that refuses the contract', async () => {
  const root = await writeFiles({
    'root.yaml': `${head}paths:\n  /a:\n${response('{ $ref: part.yaml }')}`,
    'part.yaml':
      'type: object\nproperties:\n  n:\n    type: integer\n    exampel: 3\n  d:\n    type: strin\n',
  });
  const { code, out, err } = await runCommand(['lint', '--api', root]);
  expect(code).toBe(2);
  expect(out).toMatch(/error struct .*part\.yaml:5:\d+\n.*`exampel`/);
  expect(out).toMatch(/error struct .*part\.yaml:7:\d+\n/);
  expect(err).toMatch(/part\.yaml:7:\d+ The schema is invalid: .*type must be one of/);
});

test('lint and check fail for an operation that is disabled, also if the rules find nothing', async () => {
  const lost = '    parameters: [{ name: __proto__, in: header, schema: { type: string } }]\n';
  const root = await writeFiles({
    'root.yaml': `${head}paths:\n  /good:\n${response('{ type: string }')}  /a:\n${lost}${response('{ type: string }').replace('read', 'lost')}`,
  });
  const linted = await runCommand(['lint', '--api', root]);
  expect(linted.code).toBe(1);
  expect(linted.out).toContain('0 errors, 0 warnings, 1 disabled operations');
  expect(linted.err).toMatch(/root\.yaml:\d+:\d+ A header cannot have the name __proto__/);
  const checked = await runCommand(['check', '--api', root, '--only', 'lint']);
  expect(checked.code).toBe(1);
  expect(checked.out).toMatch(/error lint\/disabled-operation .*root\.yaml:15:\d+\n {2}GET \/a is disabled/);
});

const commands: [string, string[]][] = [
  ['doctor', []],
  ['generate', ['--out', 'output']],
  ['mock', ['--port', '0']],
  ['test', ['--url', 'http://127.0.0.1:1']],
  ['docs', ['--out', 'output']],
  ['lint', []],
  ['check', ['--only', 'examples', '--base', 'openapi/openapi.yaml']],
  ['coverage', []],
  ['survive', ['--list']],
];

test.each(commands)('%s ends with 2 if the contract is refused or missing', async (command, more) => {
  const root = await writeFiles({ 'root.yaml': `${head}paths:\n  /a:\n${response('{ type: strng }')}` });
  const refused = await runCommand([command, '--api', root, ...more]);
  expect(refused.code, refused.out).toBe(2);
  // The contract check reports on standard output.
  expect(refused.err + refused.out).toMatch(/root\.yaml:\d+:\d+ The schema is invalid: type must be one of/);
  const missing = await runCommand([command, '--api', join(dirname(root), 'gone.yaml'), ...more]);
  expect(missing.code, missing.out).toBe(2);
  expect(missing.err).toMatch(/There is no file .*gone\.yaml|The file .*gone\.yaml does not exist/);
});
