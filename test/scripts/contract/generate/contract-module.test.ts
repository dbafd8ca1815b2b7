import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { generateContractModule } from '../../../../scripts/contract/generate/contract-module.ts';
import { documentedErrors } from '../../../../server/contract/documented-errors.ts';
import { createFetchHandler } from '../../../../server/http/fetch/fetch-handler.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test.each([
  ['a request', ['components', 'schemas', 'ContactCreate', 'properties', 'integration']],
  ['a response', ['components', 'schemas', 'Contact', 'properties', 'integration']],
  ['a header', ['components', 'headers', 'Location', 'schema']],
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
  const tree = { $ref: '#/components/schemas/Tree' };
  const branch = (kind: number) => ({ type: 'object', properties: { tree, kind: { const: kind } } });
  const files = await generateContractModule({
    openapi: '3.1.0',
    info: { title: 'Trees', version: '1' },
    paths: {
      '/trees': {
        post: {
          operationId: 'addTree',
          requestBody: { required: true, content: { 'application/json': { schema: tree } } },
          responses: { 204: { description: 'Added.' } },
        },
      },
    },
    components: { schemas: { Tree: { anyOf: [branch(1), branch(2), { type: 'integer' }] } } },
  });
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
    422,
    expect.stringContaining('too complex to validate'),
  ]);
});
