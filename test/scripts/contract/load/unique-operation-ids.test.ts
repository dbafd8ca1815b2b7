import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadFiles, writeFiles } from '../../../support/load-document.ts';
import { runCommand } from '../../../support/run-command.ts';

const done = "responses: { '204': { description: Done. } }";

/** Returns a contract with the given operations, one per line from line 4. */
const documentOf = (operations: readonly string[], openapi = '3.1.1'): string =>
  `openapi: ${openapi}\ninfo: { title: T, version: 1.0.0 }\npaths:\n${operations.join('\n')}\n`;

const get = (path: string, id?: string): string =>
  `  ${path}: { get: { ${id === undefined ? '' : `operationId: ${id}, `}${done} } }`;

/** Returns the IDs of a contract by path, and what loading it says. */
async function load(text: string) {
  const { contract, sentences } = await loadFiles({ 'root.yaml': text });
  return { ids: Object.fromEntries(contract.operations.map(({ path, id }) => [path, id])), sentences };
}

test.each(['3.0.3', '3.1.1'])(
  'gives the later operations with an ID a number, which no other operation has, in OpenAPI %s',
  async (openapi) => {
    const paths = [get('/a', 'list'), get('/b', 'list'), get('/c', 'list2'), get('/d', 'list')];
    const { ids, sentences } = await load(documentOf(paths, openapi));
    expect(ids).toEqual({ '/a': 'list', '/b': 'list3', '/c': 'list2', '/d': 'list4' });
    expect(sentences).toEqual([
      expect.stringMatching(
        /root\.yaml:5:\d+ The operationId list is used twice: by GET \/a and GET \/b\. That of GET \/b is read as list3\.\n {2}→ Give each/,
      ),
      expect.stringMatching(/root\.yaml:7:\d+ The operationId list is used twice: by GET \/a and GET \/d\./),
    ]);
  },
);

test('changes no ID that is documented once, and derives IDs that no operation has', async () => {
  const paths = [get('/a'), get('/b', 'getA'), get('/x-y'), get('/x/y'), get('/c', 'toString')];
  const { ids, sentences } = await load(documentOf(paths));
  expect(Object.values(ids)).toEqual(['getA2', 'getA', 'getXY', 'getXY2', 'toString']);
  expect(sentences).toEqual([]);
});

test('compares a contract with a base whose operationId is used twice', async () => {
  const base = await writeFiles({ 'base.yaml': documentOf([get('/a', 'list'), get('/b', 'list')]) });
  const api = await writeFiles({ 'root.yaml': documentOf([get('/a', 'list'), get('/b', 'listOthers')]) });
  const { code, out, err } = await runCommand(['check', '--api', api, '--base', base, '--only', 'changes']);
  expect(code, out + err).toBe(0);
  expect(err).toMatch(/The base .*base\.yaml: .*base\.yaml:5:\d+ The operationId list is used twice/);
});

test('generates code for the repaired IDs, and lint reports the repeated one as an error', async () => {
  const api = await writeFiles({ 'root.yaml': documentOf([get('/a', 'list'), get('/b', 'list')]) });
  const generated = await runCommand(['generate', '--api', api, '--out', join(api, '../generated')]);
  expect(generated.code, generated.err).toBe(0);
  expect(generated.err.split('The operationId list is used twice')).toHaveLength(2);
  const linted = await runCommand(['lint', '--api', api]);
  expect(linted.code).toBe(1);
  expect(linted.out + linted.err).toMatch(/operation-operationId-unique/);
});
