import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import {
  bundleModules,
  contractModule,
  emitContract,
} from '../../../../scripts/contract/compile/emit-contract.ts';
import { createSchemaCopies } from '../../../../scripts/contract/compile/schema-copies.ts';
import { createSchemaFunctions } from '../../../../scripts/contract/compile/schema-functions.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import type { CompiledContract } from '../../../../server/pipeline/compiled-contract.ts';
import { explainSchema } from '../../../../server/pipeline/explain/explain-schema.ts';
import suite from './json-schema-suite.json' with { type: 'json' };

/** Groups with these keywords are refused with an error that names the reference or the keyword. */
const refused: Record<string, RegExp> = {
  'references lead to parts of the bundled document only': /"\$ref":"(?!#["/])/,
  'identifiers do not change where a reference leads': /"\$id":/,
  'dynamic references are not supported': /"\$dynamicRef":/,
};

/** Tests whose verdict differs, by the reason. */
const exceptions: Record<string, readonly string[]> = {
  'Ajv does not count items that match `contains` as evaluated, nor the items of two arrays': [
    'unevaluatedItems with nested items',
    'unevaluatedItems depends on adjacent contains',
    'unevaluatedItems depends on multiple nested contains',
    'unevaluatedItems and contains interact to control item dependency relationship',
  ],
  'Ajv ignores an `if` without `then` and `else`, but not what it evaluates': [
    'unevaluatedProperties with if/then/else, then not defined',
  ],
  'vocabularies of other meta-schemas are ignored': [
    'schema that uses custom metaschema with with no validation vocabulary',
  ],
};
const isException = (description: string) => Object.values(exceptions).flat().includes(description);

const groups = Object.entries(suite.files).flatMap(([file, listed]) =>
  listed.map((group, index) => ({ ...group, file, name: `${file}-${index}` })),
);
const isRefused = ({ schema }: { schema: unknown }) =>
  Object.values(refused).some((pattern) => pattern.test(JSON.stringify(schema)));
const supported = groups.filter((group) => !isRefused(group));

/** Makes the references of a schema lead to where it is in the contract. */
function rebased(schema: unknown, base: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => rebased(each, base));
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === '$ref' && typeof value === 'string') return [key, base + value.slice(1)];
    return [key, key === 'enum' || key === 'const' ? value : rebased(value, base)];
  });
  return Object.fromEntries(entries);
}

const indexOf = (name: string) => supported.findIndex((group) => group.name === name);
const pointerOf = (name: string) => `/components/schemas/${name}`;
const document = {
  openapi: '3.1.1',
  paths: {
    '/': {
      get: {
        operationId: 'all',
        responses: Object.fromEntries(
          supported.map(({ name }, index) => [
            String(200 + index),
            {
              description: name,
              content: { 'application/json': { schema: { $ref: `#${pointerOf(name)}` } } },
            },
          ]),
        ),
      },
    },
  },
  components: {
    schemas: Object.fromEntries(
      supported.map(({ name, schema }) => [name, rebased(schema, `#${pointerOf(name)}`)]),
    ),
  },
};
const inMemory = compileContract(document as never);

let emitted: CompiledContract;
beforeAll(async () => {
  const { code } = await bundleModules(emitContract(inMemory), { entry: contractModule, minify: false });
  const folder = await mkdtemp(join(tmpdir(), 'suite-'));
  await writeFile(join(folder, 'contract.mjs'), code);
  emitted = (await import(pathToFileURL(join(folder, 'contract.mjs')).href)).contract;
  await rm(folder, { recursive: true });
});

test('most of the suite is supported', () => {
  expect(supported.length / groups.length).toBeGreaterThan(0.8);
});

test.each(groups.filter(isRefused).map((group) => [group.file, group.description, group] as const))(
  '%s: %s: is refused, or decided right',
  (_file, description, { schema, tests }) => {
    if (!isObject(schema) || isException(description)) return;
    let decide: (value: unknown) => boolean;
    try {
      const copies = createSchemaCopies(schema);
      decide = createSchemaFunctions(copies).deciderOf(copies.nameOf('', 'request'));
    } catch (error) {
      expect(String(error)).toMatch(/does not exist|is not supported/);
      return;
    }
    for (const { description: name, data, valid } of tests)
      expect([name, decide(data)]).toEqual([name, valid]);
  },
);

describe.each(supported.map((group) => [group.file, group.description, group] as const))(
  '%s: %s',
  (_file, _description, { name, description: groupName, tests }) => {
    test.each(tests)('$description', ({ data, valid }) => {
      const schema =
        inMemory.operations[0]?.responses[String(200 + indexOf(name))]?.content['application/json']?.schema;
      if (schema === undefined) throw new Error(name);
      const verdicts = [inMemory, emitted].map(({ deciderOf }) => deciderOf(schema)(data));
      if (isException(groupName)) expect(verdicts[0]).toBe(verdicts[1]);
      else expect(verdicts).toEqual([valid, valid]);
      // Values that are refused are explained, by code that interprets the schema.
      const found = explainSchema(inMemory.schemas, schema, data, {}, 100);
      if (!isException(groupName)) expect(found.some(({ keyword }) => keyword !== 'schema')).toBe(!valid);
    });
  },
);
