import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { brokenDocuments } from './broken-documents.ts';

/** Writes the files of a document. @returns the path of its root */
async function write(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return join(folder, 'root.yaml');
}

test.each(brokenDocuments)(
  'rejects a document with $name, and names the file, the line and a fix',
  async ({ files, at, message }) => {
    const root = await write(files);
    const error = await loadContract(root).then(
      () => expect.fail('It was accepted.'),
      (thrown: Error) => thrown.message,
    );
    expect(error).toMatch(message);
    expect(error).toContain(at.includes(':') ? `${at}:` : at);
    expect(error).toContain('\n  → ');
    if (at.includes(':')) expect(error).toMatch(/\n {2}at \//);
  },
);

const examples = globSync('node_modules/@readme/oas-examples/{2.0,3.0,3.1}/json/*.json').sort();

/** The invalid example, with the expected error message. */
const invalid: Record<string, RegExp> = {
  '3.1/json/schema-validation-top-level.json': /dialect .*draft-04.* is not supported/,
};

/** The examples with operations that are disabled, with the expected sentence. */
const partial: Record<string, RegExp> = {
  '3.0/json/parameters-style.json': /contains #, so no request can match it/,
  '3.1/json/parameters-style.json': /contains #, so no request can match it/,
  '3.1/json/schema-validation-local.json': /exclusiveMaximum must be a number/,
};

test.each(examples)('loads %s as OpenAPI 3.1, or rejects it if it is invalid', async (file) => {
  const name = file.split('oas-examples/')[1] ?? '';
  const sentences: string[] = [];
  const loading = loadContract(file, { onIgnored: (sentence) => sentences.push(sentence) });
  if (invalid[name]) await expect(loading).rejects.toThrow(invalid[name]);
  else expect((await loading).document.openapi).toMatch(/^3\.1\./);
  const disabling = sentences.filter((each) => each.includes('Disabled because of it'));
  expect(disabling.length > 0).toBe(partial[name] !== undefined);
  for (const each of disabling) expect(each).toMatch(partial[name] ?? '');
});

test('names three of the parts that are ignored for the same reason, and counts the others', async () => {
  const wrong = { type: 'integer', default: 'x' };
  const names = ['A', 'B', 'C', 'D', 'E'];
  const root = await write({
    'root.yaml': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'T', version: '1' },
      paths: {},
      components: { schemas: Object.fromEntries(names.map((name) => [name, wrong])) },
    }),
  });
  const sentences: string[] = [];
  await loadContract(root, { onIgnored: (sentence) => sentences.push(sentence) });
  const sentence = (name: string) =>
    `The default at /components/schemas/${name} violates its own schema, and is ignored.`;
  const at = (pattern: string): unknown => expect.stringMatching(pattern);
  expect(sentences).toEqual([
    at(`root\\.yaml:1:\\d+ ${sentence('A')}$`),
    at(`root\\.yaml:1:\\d+ ${sentence('B')}$`),
    at(`root\\.yaml:1:\\d+ ${sentence('C')} There are 2 more like it\\.$`),
  ]);
});
