import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadFiles } from '../../../support/documents.ts';
import { serveMock, serveRoutes } from '../../../support/implementations.ts';
import { runCommand } from '../../../support/run-command.ts';

const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n';
const done = "responses: { '204': { description: Done. } }";
/** The parts of a document behind its first line with a path, which is line 4. */
const withGood = (paths: string, components = ''): string =>
  `${head}paths:\n${paths}  /good: { get: { operationId: good, security: [], ${done} } }\n${components}`;
const schemas = (text: string): string => `components:\n  schemas:\n${text}`;
const uses = (path: string, name: string): string =>
  `  ${path}: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }, ${done} } }\n`;

/** Documents, the operations that are disabled, and the line and the sentence about the mistake. */
const cases: Record<string, [document: string, disabled: string[], says: RegExp]> = {
  'an invalid schema of a parameter': [
    withGood(
      `  /a:\n    get:\n      parameters:\n        - { name: q, in: query, schema: { type: text } }\n      ${done}\n    put: { ${done} }\n`,
    ),
    ['GET /a'],
    /root\.yaml:7:\d+ The schema is invalid: type must be .* Disabled because of it: GET \/a\. .*\n {2}→ Correct/,
  ],
  'an invalid schema that other schemas use': [
    withGood(
      uses('/a', 'Outer') + uses('/b', 'Fine'),
      schemas(
        "    Outer: { properties: { a: { allOf: [{ $ref: '#/components/schemas/Inner' }] } } }\n    Inner: { minLength: -1 }\n    Fine: { type: object }\n",
      ),
    ),
    ['POST /a'],
    /root\.yaml:10:\d+ The schema is invalid: minLength must be at least 0\. Disabled because of it: POST \/a\./,
  ],
  'an invalid schema behind a discriminator': [
    withGood(
      uses('/a', 'Pet'),
      schemas(
        '    Pet: { type: object, discriminator: { propertyName: kind, mapping: { cat: Cat } } }\n    Cat: { required: true }\n',
      ),
    ),
    ['POST /a'],
    /root\.yaml:9:\d+ The schema is invalid: required must be an array/,
  ],
  'an invalid schema of a parameter of the path': [
    withGood(
      `  /a:\n    parameters: [{ name: q, in: query, schema: { enum: no } }]\n    get: { ${done} }\n    put: { ${done} }\n`,
    ),
    ['GET /a', 'PUT /a'],
    /root\.yaml:5:\d+ The schema is invalid: enum must be an array\. Disabled because of it: GET \/a, PUT \/a\./,
  ],
  'two paths that match the same requests': [
    withGood(`  /a/{id}: { get: { ${done} }, put: { ${done} } }\n  /a/{name}: { get: { ${done} } }\n`),
    ['GET /a/{id}', 'GET /a/{name}'],
    /root\.yaml:5:\d+ The paths \/a\/\{id\} and \/a\/\{name\} match the same requests\./,
  ],
  'an invalid schema of a path with percent-encoding': [
    withGood(
      `  /a%20b: { get: { parameters: [{ name: q, in: query, schema: { type: text } }], ${done} } }\n`,
    ),
    ['GET /a%20b'],
    /The schema is invalid: type must be .* Disabled because of it: GET \/a%20b\./,
  ],
  'a path with a fragment': [
    withGood(`  /a#one: { get: { ${done} } }\n`),
    ['GET /a'],
    /root\.yaml:4:\d+ The path \/a#one contains #/,
  ],
  'a path with two parameters side by side': [
    withGood(
      `  /a/{id}{format}:\n    parameters:\n      - { name: id, in: path, required: true, schema: { type: string } }\n      - { name: format, in: path, required: true, schema: { type: string } }\n    get: { ${done} }\n`,
    ),
    ['GET /a/{parameters}'],
    /root\.yaml:4:\d+ The path \/a\/\{id\}\{format\} has two parameters with no text between them/,
  ],
  'an API key that no header can contain': [
    withGood(
      `  /a: { get: { security: [{ key: [] }], ${done} } }\n`,
      'components:\n  securitySchemes:\n    key: { type: apiKey, in: header, name: My Key }\n',
    ),
    ['GET /a'],
    /root\.yaml:8:\d+ The header My Key of the security scheme key cannot be sent/,
  ],
  'a header that Node drops': [
    withGood(`  /a: { get: { parameters: [{ name: __proto__, in: header }], ${done} } }\n`),
    ['GET /a'],
    /root\.yaml:4:\d+ A header cannot have the name __proto__/,
  ],
};

/** Loads a document. @returns its path, its operations, and what loading it says */
async function load(text: string) {
  const { root, contract: loaded, sentences } = await loadFiles({ 'root.yaml': text });
  const operations = loaded.operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  return { file: root, operations, sentences, document: loaded.document };
}

/** Sends a request to middleware in front of a route that responds 204 to everything. */
const statusOf = async (file: string, request: string): Promise<number> => {
  const [method = '', path = ''] = request.split(' ');
  const url = await serveRoutes(file, onTestFinished);
  return (await fetch(url + path.replaceAll(/\{[^}]*\}/g, 'x1'), { method })).status;
};

test.each(Object.entries(cases))(
  'disables only the operations with %s',
  async (_name, [document, disabled, says]) => {
    const { file, operations, sentences } = await load(document);
    expect(operations).toContain('GET /good');
    for (const each of disabled) expect(operations).not.toContain(each);
    expect(sentences).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
    expect(await statusOf(file, 'GET /good')).toBe(204);
    for (const each of disabled) expect(await statusOf(file, each), each).toBe(500);
  },
);

test('leaves out a component with a mistake that no operation uses', async () => {
  const { document, operations, sentences } = await load(
    withGood(uses('/a', 'Fine'), schemas('    Fine: { type: object }\n    Bad: { type: strng }\n')),
  );
  expect(operations).toEqual(['POST /a', 'GET /good']);
  expect(Object.keys(document.components?.schemas ?? {})).toEqual(['Fine']);
  expect(sentences).toEqual([
    expect.stringMatching(/root\.yaml:9:\d+ .* The tools leave it out\. No operation uses it\.\n/),
  ]);
});

test('refuses a document without an operation that can be read', async () => {
  await expect(load(`${head}paths:\n  /a#one: { get: { ${done} } }\n`)).rejects.toThrow(
    /root\.yaml:4:\d+ The path \/a#one contains #.*\n {2}at \/paths\/~1a#one\n {2}→ /,
  );
});

test('ignores a list of disabled operations that the author of the document has written', async () => {
  const list = 'x-parley-disabled: [{ method: get, path: /good, reason: none }]\n';
  const { file, document } = await load(list + withGood(''));
  expect(document).not.toHaveProperty('x-parley-disabled');
  expect(await statusOf(file, 'GET /good')).toBe(204);
});

test('disables an operation whose parameters OpenAPI does not define, and enforces the others', async () => {
  const style = `  /a: { get: { parameters: [{ name: q, in: query, style: simple, schema: {} }], ${done} } }\n`;
  const { file } = await load(withGood(style));
  expect(await statusOf(file, 'GET /good')).toBe(204);
  expect(await statusOf(file, 'GET /a')).toBe(500);
  const mock = await serveMock(file, onTestFinished);
  expect((await fetch(`${mock}/good`)).status).toBe(204);
  expect((await fetch(`${mock}/a`)).status).toBe(500);
  const generated = await runCommand(['generate', '--api', file, '--out', join(file, '../generated')]);
  expect(generated.code).toBe(0);
  expect(generated.err).toMatch(
    /root\.yaml:4:\d+ The middleware and the mock refuse all requests of getA\. The query/,
  );
});

test('reads an undeclared path parameter as any text, and ignores one that the path does not have', async () => {
  const other = '{ name: other, in: path, required: true, schema: { type: integer } }';
  const { file, sentences } = await load(
    withGood(`  /a/{id}:\n    get:\n      parameters: [${other}]\n      ${done}\n`),
  );
  expect(sentences).toEqual([
    expect.stringMatching(/root\.yaml:6:\d+ The path parameter other is declared, but .* It is ignored\./),
    expect.stringMatching(/root\.yaml:5:\d+ The path \/a\/\{id\} has \{id\}, .* It is read as any text\./),
  ]);
  expect(await statusOf(file, 'GET /a/x')).toBe(204);
});
