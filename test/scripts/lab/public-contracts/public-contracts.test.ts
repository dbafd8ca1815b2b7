import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { nameOfDocument, publicContracts } from '../../../../scripts/lab/public-contracts/documents.ts';
import { mockConformance, tools } from '../../../../scripts/lab/public-contracts/tools.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { loadDocument, readYaml, writeDocument } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { isLong } from '../../../support/sampling.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const unusual: { default: object; contracts: Record<string, object> } = readYaml(
  import.meta.dirname,
  'unusual-contracts.yaml',
);
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

function operationOf({ response, ...operation }: { response?: object }) {
  const only = response && { 200: { description: 'Yes.', ...json(response) } };
  return { responses: only ?? unusual.default, ...operation };
}

const documentOf = (written: object) => {
  const paths: Record<string, object> = {};
  const others: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(written))
    if (!name.startsWith('/')) others[name] = member;
    else
      paths[name] = Object.fromEntries(
        Object.entries(member).map(([method, operation]) => [
          method,
          isObject(operation) ? operationOf(operation) : operation,
        ]),
      );
  return { openapi: '3.1.1', info: { title: 'T', version: '1' }, paths, ...others };
};

test.each(Object.entries(unusual.contracts))(
  'the mock of a contract with %s conforms to it',
  async (_name, members) => {
    expect(await mockConformance(await loadDocument(documentOf(members)), 20)).toEqual([]);
  },
);

test('the mock rejects requests even if no value conforms to the schema of the error', async () => {
  const impossible = { type: 'string', minLength: 2, maxLength: 1 };
  const headers = { 'X-No': { required: true, schema: impossible } };
  const get = {
    parameters: [{ name: 'size', in: 'query', schema: { type: 'integer' } }],
    responses: { ...unusual.default, 422: { description: 'No.', headers, ...json(impossible) } },
  };
  const api = await writeDocument(documentOf({ '/a': { get } }));
  const { server } = await createMockServer({ config: contractConfig, api });
  const response = await fetch(`${await startListening(server)}/a?size=x`);
  expect(response.status).toBe(422);
});

test('the code of a contract with shared schemas called like keywords, and a list of itself, compiles', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    title: { type: 'object', properties: { tree: ref('summary') } },
    summary: { oneOf: [{ type: 'string' }, { type: 'array', items: ref('summary') }] },
  };
  const api = await writeDocument(
    documentOf({ '/a': { get: { response: ref('title') } }, components: { schemas } }),
  );
  expect(await tools.generate?.(api)).toEqual([]);
});

/** Contracts that cannot be loaded. `load-contract.test.ts` tests their error messages. */
const invalid = [
  ...['parameters-style.json', 'schema-validation-local.json', 'schema-validation-top-level.json'],
  // It has anchors.
  'galaxy/dist/3.1.yaml',
];

const documents = publicContracts().filter((file) => !invalid.some((name) => file.endsWith(name)));
// `npm test` runs a sixth of them, without those of webhooks alone: their mocks get no request, and take 10 s to create.
// `npm run test:contracts` runs all of them with every tool.
const sample = documents.filter(
  (file, at) => isLong || (at % 6 === 0 && !file.includes('@octokit/openapi-webhooks')),
);

test.each(sample.map((file) => [nameOfDocument(file), file]))(
  'the mock of the public contract %s conforms to it',
  async (_name, file) => {
    expect(await mockConformance(await loadContract(file), 5)).toEqual([]);
  },
);

test('there are at least 60 public contracts', () => {
  expect(publicContracts().length).toBeGreaterThanOrEqual(60);
});

test('prints the error message of each rejected document, and a summary', async () => {
  const broken = join(await temporaryFolder(), 'broken.yaml');
  await writeFile(broken, 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\npaths: { /a#b: {} }\n');
  const valid = 'test/scripts/contract/generate/contracts/bookshop.yaml';
  const { code, out } = await runCommand(['test:contracts', valid, broken, '--only', 'generate', 'mock']);
  expect(out).toMatch(/^refused .*broken\.yaml: .*broken\.yaml:3:\d+ The path \/a#b contains #/);
  expect(out).toContain('2 documents: 1 work with every tool, 1 are refused, 0 fail.');
  expect(code).toBe(0);
});
