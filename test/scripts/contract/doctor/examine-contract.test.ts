import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examineContract } from '../../../../scripts/contract/doctor/examine-contract.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { compileDocument } from '../../../../scripts/package/compile-document.ts';
import { contract } from '../../../../scripts/runtime-package/express.ts';
import { runCommand } from '../../../support/run-command.ts';
import { sampleCount } from '../../../support/sampling.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n';
const done = "responses: { '204': { description: Done. } }";
const good = `  /good: { get: { operationId: good, ${done} } }\n`;
const withParameter = (parameter: string): string =>
  `${head}paths:\n${good}  /a: { get: { operationId: a, parameters: [${parameter}], ${done} } }\n`;
const withBody = (body: string, more = ''): string =>
  `${head}paths:\n${good}  /a: { post: { operationId: a, requestBody: { content: ${body} }, ${done} } }\n${more}`;

/** Documents with one part that does not work, and what doctor says about it. Line 5 has the operation. */
const cases: Record<string, [document: string, says: RegExp]> = {
  'a style of another place': [
    withParameter('{ name: q, in: query, style: simple, schema: { type: string } }'),
    /root\.yaml:5:\d+ The middleware and the mock refuse all requests of a\. The query parameter q has the style simple/,
  ],
  'an exploded object with delimiters': [
    withParameter('{ name: q, in: query, style: pipeDelimited, explode: true, schema: { type: object } }'),
    /root\.yaml:5:\d+ The middleware and the mock refuse all requests of a\. .*which OpenAPI does not define/,
  ],
  'a cookie that is an open object': [
    withParameter('{ name: c, in: cookie, schema: { type: object } }'),
    /root\.yaml:5:\d+ The middleware and the mock refuse all requests of a\. The cookie c is an exploded object/,
  ],
  'a keyword that changes where references lead': [
    withBody("{ application/json: { schema: { $dynamicRef: '#/components/schemas/A' } } }"),
    /root\.yaml:5:\d+ The middleware and the mock refuse all requests of a\. The keyword \$dynamicRef is not supported/,
  ],
  'a security scheme that is not defined': [
    `${head}paths:\n${good}  /a: { get: { operationId: a, security: [{ gone: [] }], ${done} } }\n`,
    /root\.yaml:5:\d+ The middleware refuses all requests of a\. a requires the security scheme gone, which is not defined/,
  ],
  'a required property that no value can have': [
    withBody(
      '{ application/json: { schema: { type: object, required: [n], properties: { n: { type: integer, minimum: 2, maximum: 1 } } } } }',
    ),
    /root\.yaml:5:\d+ test can generate no request for a: /,
  ],
  'a media type that the tests cannot write': [
    withBody('{ application/xml: { schema: { type: object } } }'),
    /root\.yaml:5:\d+ test sends no a body of the media type application\/xml\./,
  ],
  'an unknown format': [
    withParameter('{ name: q, in: query, schema: { type: string, format: colour } }'),
    /root\.yaml:5:\d+ Values of the format colour are not validated\./,
  ],
  'an explosive pattern': [
    withParameter("{ name: q, in: query, schema: { type: string, pattern: '^(a|aa)+$' } }"),
    /root\.yaml:5:\d+ The pattern \^\(a\|aa\)\+\$ at .* can block the process/,
  ],
  'a mapping to nothing': [
    withBody(
      "{ application/json: { schema: { $ref: '#/components/schemas/A' } } }",
      'components:\n  schemas:\n    A: { type: object, discriminator: { propertyName: k, mapping: { b: B } } }\n',
    ),
    /root\.yaml:8:\d+ The discriminator at .* maps b to B, which does not exist/,
  ],
  'an invalid example': [
    withBody('{ application/json: { schema: { type: string }, example: 5 } }'),
    /root\.yaml:5:\d+ The example of POST \/a body application\/json is invalid, so the mock generates a value: /,
  ],
};

async function write(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'root.yaml');
  await writeFile(file, text);
  return file;
}

const config = withDefaults({});

test.each(Object.entries(cases))('names %s, with file and line', async (_name, [document, says]) => {
  const { limits, operations } = await examineContract(await write(document), config);
  expect(operations).toBe(2);
  expect(limits).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
  expect(limits.join('\n')).not.toMatch(/good/);
});

test('finds nothing to say about tuples, styles, forms and discriminators that work', async () => {
  const parameters = [
    '{ name: ids, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: integer } } }',
    '{ name: filter, in: query, style: deepObject, schema: { type: object, additionalProperties: { type: string } } }',
    '{ name: X-List, in: header, schema: { type: array, items: { type: string } } }',
  ];
  const paths = [
    `  /a: { get: { operationId: a, parameters: [${parameters.join()}], ${done} } }`,
    `  /b: { post: { operationId: b, requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { note: { type: string } } } } } }, ${done} } }`,
    `  /c: { post: { operationId: c, requestBody: { content: { application/json: { schema: { type: array, prefixItems: [{ type: string }, { type: integer }], items: false, minItems: 2 } } } }, ${done} } }`,
    `  /d: { post: { operationId: d, requestBody: { content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind, mapping: { cat: Cat, dog: Dog } } } } } }, ${done} } }`,
  ];
  const schema = (name: string) =>
    `    ${name}: { type: object, required: [kind], properties: { kind: { const: ${name.toLowerCase()} } } }\n`;
  const root = await write(
    `${head}paths:\n${paths.join('\n')}\ncomponents:\n  schemas:\n${schema('Cat')}${schema('Dog')}`,
  );
  expect(await examineContract(root, config)).toMatchObject({ operations: 4, limits: [] });
  const { code, out } = await runCommand(['doctor', '--api', root]);
  expect(code).toBe(0);
  expect(out).toContain('Every tool works with the whole contract.');
});

/** Public documents in which the middleware refuses operations, or which it refuses as a whole. */
const documents = globSync(
  'node_modules/@readme/oas-examples/3.{0,1}/json/{parameters-style,security,schema-*}.json',
);

test('names each operation of public documents that the middleware refuses', async () => {
  expect(documents.length).toBeGreaterThan(10);
  for (const file of documents.sort().slice(0, sampleCount(4))) {
    const refused = new Set<string>();
    const { emitWarning } = process;
    process.emitWarning = (warning: string | Error) => {
      const [, id] = /^All requests of (.*?) are refused/.exec(String(warning)) ?? [];
      if (id !== undefined) refused.add(id);
    };
    const middleware = await compileDocument(file)
      .then(contract)
      .catch(() => undefined);
    process.emitWarning = emitWarning;
    const said = await examineContract(file, config).then(
      ({ limits }) => limits.join('\n'),
      () => undefined,
    );
    expect(said === undefined, file).toBe(middleware === undefined);
    for (const id of refused) expect(said, file).toContain(id);
  }
});
