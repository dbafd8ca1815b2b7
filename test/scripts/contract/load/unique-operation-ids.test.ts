import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const done = "responses: { '204': { description: Done. } }";

/** Writes a contract with the given operations, one per line from line 4. @returns its path */
async function write(operations: readonly string[], name = 'root.yaml', openapi = '3.1.1'): Promise<string> {
  const file = join(await temporaryFolder(), name);
  const lines = [`openapi: ${openapi}`, 'info: { title: T, version: 1.0.0 }', 'paths:', ...operations];
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

const get = (path: string, id?: string): string =>
  `  ${path}: { get: { ${id === undefined ? '' : `operationId: ${id}, `}${done} } }`;

/** Returns the IDs of a contract by path, and what loading it says. */
async function load(file: string) {
  const sentences: string[] = [];
  const { operations } = await loadContract(file, { onIgnored: (sentence) => sentences.push(sentence) });
  return { ids: Object.fromEntries(operations.map(({ path, id }) => [path, id])), sentences };
}

test.each(['3.0.3', '3.1.1'])(
  'gives the later operations with an ID a number, which no other operation has, in OpenAPI %s',
  async (openapi) => {
    const paths = [get('/a', 'list'), get('/b', 'list'), get('/c', 'list2'), get('/d', 'list')];
    const { ids, sentences } = await load(await write(paths, 'root.yaml', openapi));
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
  const { ids, sentences } = await load(
    await write([get('/a'), get('/b', 'getA'), get('/x-y'), get('/x/y'), get('/c', 'toString')]),
  );
  expect(ids).toEqual({
    '/a': 'getA2',
    '/b': 'getA',
    '/x-y': 'getXY',
    '/x/y': 'getXY2',
    '/c': 'toString',
  });
  expect(sentences).toEqual([]);
});

test('compares a contract with a base whose operationId is used twice', async () => {
  const base = await write([get('/a', 'list'), get('/b', 'list')], 'base.yaml');
  const api = await write([get('/a', 'list'), get('/b', 'listOthers')]);
  const { code, out, err } = await runCommand(['check', '--api', api, '--base', base, '--only', 'changes']);
  expect(code, out + err).toBe(0);
  expect(err).toMatch(/The base .*base\.yaml: .*base\.yaml:5:\d+ The operationId list is used twice/);
});

test('generates code for the repaired IDs, and lint reports the repeated one as an error', async () => {
  const api = await write([get('/a', 'list'), get('/b', 'list')]);
  const generated = await runCommand(['generate', '--api', api, '--out', join(api, '../generated')]);
  expect(generated.code, generated.err).toBe(0);
  expect(generated.err.split('The operationId list is used twice')).toHaveLength(2);
  const linted = await runCommand(['lint', '--api', api]);
  expect(linted.code).toBe(1);
  expect(linted.out + linted.err).toMatch(/operation-operationId-unique/);
});
