import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatePageMock } from '../../../../scripts/contract/generate/page-mock/module.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { loadMock } from '../../../../scripts/contract/survive/load-mock.ts';
import { documentOf, object, reference, responses, writeDocument } from '../../../support/documents.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('a contract whose schemas all refer to each other has a mock with valid responses', async () => {
  const names = Array.from({ length: 15 }, (_, index) => `Part${index}`);
  const parts = Object.fromEntries(names.map((name) => [name, reference(name)]));
  const part = object({ kind: { type: 'string', enum: ['a', 'b'] }, ...parts });
  const get = {
    operationId: 'getParts',
    responses: responses({ ...reference('Part0'), required: ['kind'] }, 200),
  };
  const schemas = Object.fromEntries(names.map((name) => [name, part]));
  const document = documentOf({ '/parts': { get } }, { components: { schemas } });
  const api = await writeDocument(document);
  const { createMock } = await loadMock(await loadContract(api), withDefaults({}), api);
  const response = await createMock({}).fetch(new Request('http://mock/parts'));
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ kind: expect.stringMatching(/^[ab]$/) });
});

test('rules that import a module of Node are refused, with its name', async () => {
  const rules = join(await temporaryFolder(), 'rules.mjs');
  await writeFile(
    rules,
    "import { createHash } from 'node:crypto';\nexport const pageRules = { createHash };\n",
  );
  const { document } = await loadContract('test/scripts/contract/generate/contracts/bookshop.yaml');
  await expect(generatePageMock(document, { tokens: 'any', pageRules: rules, promises: [] })).rejects.toThrow(
    'The mock inside pages must run in browsers, but its rules import node:crypto.',
  );
});
