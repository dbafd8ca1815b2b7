import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { generatePageMock } from '../../../../scripts/contract/generate/page-mock/module.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { loadMock } from '../../../../scripts/contract/survive/load-mock.ts';
import { writeDocument } from '../../../support/load-document.ts';
import { isLong } from '../../../support/sampling.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { differencesOf } from './fetch-cases.ts';
import { startMockServer } from './mock-server.ts';

const folder = 'node_modules/@readme/oas-examples';

/** Contracts with arrays, objects and cookies among the parameters, forms, files, errors of their own, and XML. */
const contracts = [
  '3.1/json/petstore.json',
  '3.0/json/file-uploads.json',
  '3.0/json/form-data.json',
  '3.0/json/parameters-cookies.json',
  '3.0/json/response-multiple-mediatypes.json',
  '3.0/json/security-multiple.json',
  ...(isLong ? ['3.0/json/star-trek.json', '3.1/json/readme.json', '3.0/json/schema-validation.json'] : []),
];

/** Those of a program, of a browser, and of Java, and an invalid one. */
const accepts = [
  'text/plain, application/xml;q=0.5',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'text/*;q=0.5, application/json;q=0, everything;a',
];

test.each(contracts)('the mock inside a page responds like the mock server: %s', async (name) => {
  const api = join(folder, name);
  const { base, cases } = await startMockServer(withDefaults({}), api, onTestFinished);
  const made = await generatePageMock((await loadContract(api)).document, {
    tokens: 'any',
    pageRules: undefined,
    promises: [],
  });
  const file = join(await temporaryFolder(), 'mock.mjs');
  await writeFile(file, made['mock.js']);
  const mock = (await import(pathToFileURL(file).href)).createMock();
  // Each request with one of them in turn; `npm run test:long` sends each request with all of them.
  const withAccept = accepts.flatMap((accept, turn) =>
    cases
      .filter((_each, at) => isLong || at % accepts.length === turn)
      .map((each) => ({ ...each, headers: { ...each.headers, Accept: accept } })),
  );
  const differences = await differencesOf([...cases, ...withAccept], base, mock);
  expect(differences.slice(0, 5)).toEqual([]);
  expect(cases.length).toBeGreaterThan(5);
});

test('a contract whose schemas all refer to each other has a mock with valid responses', async () => {
  const names = Array.from({ length: 15 }, (_, index) => `Part${index}`);
  const partOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const properties = Object.fromEntries(names.map((name) => [name, partOf(name)]));
  const document = {
    openapi: '3.1.0',
    info: { title: 'Parts', version: '1.0.0' },
    paths: {
      '/parts': {
        get: {
          operationId: 'getParts',
          responses: {
            200: {
              description: 'All parts.',
              content: { 'application/json': { schema: { ...partOf('Part0'), required: ['kind'] } } },
            },
          },
        },
      },
    },
    components: {
      schemas: Object.fromEntries(
        names.map((name) => [
          name,
          { type: 'object', properties: { kind: { type: 'string', enum: ['a', 'b'] }, ...properties } },
        ]),
      ),
    },
  };
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
  const { document } = await loadContract(join(folder, '3.1/json/petstore-simple.json'));
  await expect(generatePageMock(document, { tokens: 'any', pageRules: rules, promises: [] })).rejects.toThrow(
    'The mock inside pages must run in browsers, but its rules import node:crypto.',
  );
});
