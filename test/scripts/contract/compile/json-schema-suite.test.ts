import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSchemaCopies } from '../../../../scripts/contract/compile/schema-copies.ts';
import { createSchemaFunctions } from '../../../../scripts/contract/compile/schema-functions.ts';
import type { CompiledContract } from '../../../../server/contract/compiled-contract.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { explainSchema } from '../../../../server/validation/explain/explain-schema.ts';
import { afterAllTests, temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  emittedSource,
  groups,
  inMemory,
  isException,
  isRefused,
  schemaOf,
  supported,
} from './json-schema-suite.ts';

/** The generated module, as an ES module imports it, and as one in CommonJS requires it. */
let emitted: CompiledContract;
let required: CompiledContract;
beforeAll(async () => {
  const folder = await temporaryFolder(afterAllTests);
  const source = await emittedSource();
  await writeFile(join(folder, 'contract.mjs'), source);
  // In a project without `"type": "module"`, Node recognizes modules by their syntax.
  await writeFile(join(folder, 'contract.js'), source);
  required = createRequire(join(folder, 'main.cjs'))('./contract.js').contract;
  emitted = (await import(pathToFileURL(join(folder, 'contract.mjs')).href)).contract;
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
      const schema = schemaOf(name);
      const verdicts = [inMemory, emitted, required].map(({ deciderOf }) => deciderOf(schema)(data));
      const expected = isException(groupName) ? verdicts[0] : valid;
      expect(verdicts).toEqual([expected, expected, expected]);
      // Values that are refused are explained, by code that interprets the schema.
      const found = explainSchema({ schemas: inMemory.schemas, formats: {} }, schema, data, 100);
      if (!isException(groupName)) expect(found.some(({ keyword }) => keyword !== 'schema')).toBe(!valid);
    });
  },
);
