import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { generateContractModule } from '../../../../scripts/contract/generate/contract-module.ts';

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
