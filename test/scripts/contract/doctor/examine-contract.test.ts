import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { examineContract } from '../../../../scripts/contract/doctor/examine-contract.ts';
import { explosivePatterns } from '../../../../scripts/contract/doctor/explosive-patterns.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { readYaml, writeFiles } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';

const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n';
const done = "responses: { '204': { description: Done. } }";
const good = `  /good: { get: { operationId: good, ${done} } }\n`;

interface Limit {
  parameter?: object;
  body?: object;
  security?: string;
  says: string;
}
const cases: Record<string, Limit> = readYaml(import.meta.dirname, 'limits.yaml');

/** Writes a contract whose line 5 has the operation. */
function documentOf({ parameter, body, security }: Limit): string {
  const parts = JSON.stringify({
    operationId: 'a',
    ...(parameter && { parameters: [parameter] }),
    ...(body && { requestBody: { content: body } }),
    ...(security && { security: [{ [security]: [] }] }),
  }).slice(1, -1);
  return `${head}paths:\n${good}  /a: { ${body ? 'post' : 'get'}: { ${parts}, ${done} } }\n`;
}

const write = (text: string) => writeFiles({ 'root.yaml': text });

const config = withDefaults({});

test.each(Object.entries(cases))('names %s, with file and line', async (_name, limit) => {
  const { limits, operations } = await examineContract(await write(documentOf(limit)), config);
  expect(operations).toBe(2);
  const said = limits.filter((each) => /root\.yaml:5:\d+ /.test(each));
  expect(said).toEqual(expect.arrayContaining([expect.stringContaining(limit.says)]));
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
    `  /b: { post: { operationId: b, requestBody: { content: { multipart/form-data: { schema: { type: object, required: [photo], properties: { note: { type: string }, photo: { type: string, format: binary } } }, encoding: { photo: { contentType: 'image/png, image/jpeg' } } } } }, ${done} } }`,
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

const documentWith = (schema: object) => ({ components: { schemas: { A: schema } } });

test.each(['^(a|aa)+$', '^(?:\\w+\\s?)*$', '(x+x+)+y', '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', '\\s+$'])(
  'warns of a pattern that can explode: %s',
  (pattern) => {
    expect(explosivePatterns(documentWith({ type: 'string', pattern }))).toEqual([
      {
        pointer: '/components/schemas/A/pattern',
        sentence: expect.stringContaining(`The pattern ${pattern} at /components/schemas/A/pattern `),
      },
    ]);
  },
);

test.each([{ patternProperties: { '\\s+$': {} } }, { propertyNames: { pattern: '\\s+$' } }])(
  'warns of a pattern of names: %j',
  (schema) => {
    expect(explosivePatterns(documentWith(schema))).toHaveLength(1);
  },
);

test('accepts linear patterns, and properties and data with the name pattern', () => {
  const patterns = ['^[a-z0-9]+(-[a-z0-9]+)*$', '^\\p{L}{1,40}$', '^#[0-9a-f]{3,8}$', '^[^@]+@[^@]+$'];
  const safe = patterns.flatMap((pattern) => explosivePatterns(documentWith({ pattern })));
  const properties = { pattern: { type: 'string', enum: ['(a|aa)+$'], example: { pattern: '^(a|aa)+$' } } };
  expect([...safe, ...explosivePatterns(documentWith({ properties }))]).toEqual([]);
});

test('finds no explosive pattern in our contract', async () => {
  const { limits } = await examineContract('openapi/openapi.yaml', contractConfig);
  expect(limits).toEqual([]);
});
