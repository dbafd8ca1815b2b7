import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { operations } from '../../../../generated/operations.ts';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { generateContractModule } from '../../../../scripts/contract/generate/contract-module.ts';
import { generateFiles } from '../../../../scripts/contract/generate/files.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { documentedErrors } from '../../../../server/contract/documented-errors.ts';
import { createSchemaChecks } from '../../../../server/contract/schema-checks.ts';
import { createFetchHandler } from '../../../../server/http/fetch/fetch-handler.ts';
import { content, documentOf, integer, reference } from '../../../support/documents.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test.each([
  ['a request', ['components', 'schemas', 'ContactCreate', 'properties', 'integration']],
  ['a response', ['components', 'schemas', 'Contact', 'properties', 'integration']],
  ['a header', ['components', 'headers', 'ContactLocation', 'schema']],
])('the error names the schema and the cause if the schema of %s cannot be compiled', async (_part, path) => {
  const broken = structuredClone(document);
  let node: Record<string, unknown> = broken;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string, unknown>;
  node[path.at(-1) ?? ''] = { type: 'string', pattern: '(' };
  const error = await generateContractModule(broken).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error?.message).toMatch(/^The schema at \/components\/.* cannot be compiled: .*regular expression/i);
  expect(error?.cause).toBeInstanceOf(Error);
});

test('a generated module refuses a body that takes exponential time', async () => {
  const tree = reference('Tree');
  const branch = (kind: number) => ({ type: 'object', properties: { tree, kind: { const: kind } } });
  const post = {
    operationId: 'addTree',
    requestBody: { required: true, ...content(tree) },
    responses: { 204: { description: 'Added.' } },
  };
  const schemas = { Tree: { anyOf: [branch(1), branch(2), integer] } };
  const files = await generateContractModule(documentOf({ '/trees': { post } }, { components: { schemas } }));
  const file = join(await temporaryFolder(), 'contract.mjs');
  await writeFile(file, files['contract.js'] ?? '');
  const { contract } = await import(pathToFileURL(file).href);
  const respond = async () => ({ status: 204 });
  const handle = createFetchHandler({ contract, errors: documentedErrors, respond });
  const levels = 18;
  const body = `${'{"tree":'.repeat(levels)}"leaf"${'}'.repeat(levels)}`;
  const headers = { 'Content-Type': 'application/json' };
  const response = await handle(new Request('http://mock/trees', { method: 'POST', headers, body }));
  expect([response.status, (await response.json()).detail]).toEqual([
    400,
    expect.stringContaining('too complex to validate'),
  ]);
});

test('an object may have thousands of properties, and no others', async () => {
  const names = Array.from({ length: 4_000 }, (_, at) => `p${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, integer]));
  const Wide = { type: 'object', properties, additionalProperties: false };
  const post = { requestBody: content(reference('Wide')), responses: {} };
  const api = documentOf({ '/wide': { post } }, { components: { schemas: { Wide } } });
  expect((await generateContractModule(api))['contract.js']).toContain('p3999');
  const compiled = compileContract(api);
  const schema = compiled.operations[0]?.body?.content['application/json']?.schema ?? '';
  const values = [{ p0: 1, p3999: 1 }, { p3999: '1' }, { other: 1 }];
  const { accepts } = createSchemaChecks(compiled);
  expect(values.map((value) => accepts(schema, value))).toEqual([true, false, false]);
});

test('a CommonJS package gets a module for require, and an ES module package does not', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  const filesIn = async (manifest: object) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    const settings = { ...withDefaults({}), out: join(folder, 'generated'), pageMock: false as const };
    const api = join(folder, 'openapi.json');
    return (await generateFiles(api, 'generate', { ...settings, allowOutside: [folder] })).files;
  };
  expect(Object.keys(await filesIn({ type: 'module' }))).not.toContain('contract.cjs');
  const files = await filesIn({});
  await writeFile(join(folder, 'contract.cjs'), files['contract.cjs'] ?? '');
  expect(createRequire(join(folder, 'x.js'))('./contract.cjs').contract.operations).toHaveLength(
    Object.keys(operations).length,
  );
  expect(files['contract.d.cts']).toBe(files['contract.d.ts']);
});
