import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { mockConformance, tools } from '../../../../scripts/lab/public-contracts/tools.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { loadDocument, writeDocument } from '../../../support/load-document.ts';
import { readYaml } from '../../../support/read-yaml.ts';
import { startListening } from '../../../support/start-listening.ts';

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
