import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parseGuide } from '../../../scripts/contract/docs/guides.ts';
import { staleDocuments } from '../../../scripts/contract/generate/document-tables.ts';
import { compareFiles, generateFiles, writeFiles } from '../../../scripts/contract/generate/files.ts';
import { withDefaults } from '../../../scripts/contract/read-config.ts';
import { windowsCommand } from '../../../scripts/contract/survive/run-command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/* Properties of Windows that other systems can test: the line endings that Git writes there, and its command lines. */

const withCrlf = (text: string): string => text.replaceAll(/\r?\n/g, '\r\n');

let folder: string;

beforeEach(async () => {
  folder = join(await temporaryFolder(), 'my project');
  await mkdir(folder);
});

const generated = async () => {
  const out = join(folder, 'generated');
  const config = { ...withDefaults({}), out, allowOutside: [folder] };
  return { out, files: (await generateFiles(join(folder, 'openapi.yaml'), 'generate', config)).files };
};

test('a contract and generated files with CRLF are up to date', async () => {
  const contract = join(folder, 'openapi.yaml');
  await cp('scripts/contract/init/project/openapi.yaml', contract);
  const { out, files } = await generated();
  await writeFiles(out, files);
  for await (const file of glob([contract, `${out}/*`]))
    await writeFile(file, withCrlf(await readFile(file, 'utf8')));
  expect((await generated()).files).toEqual(files);
  expect(await compareFiles(out, files)).toEqual([]);
});

test('tables in a document with CRLF are up to date', async () => {
  const file = join(folder, 'guide.md');
  const load = async () => ({ names: 'a\nb' });
  const staleWith = async (table: string) => {
    await writeFile(file, withCrlf(`# T\n<!-- table: names -->\n${table}\n<!-- end of table -->\n`));
    return Object.keys(await staleDocuments({ tables: { files: [file], load } }, { openapi: '3.1.1' }));
  };
  expect([await staleWith('a\nb'), await staleWith('a')]).toEqual([[], [file]]);
});

test('a guide with CRLF is read', () => {
  expect(parseGuide(withCrlf('---\norder: 1\n---\nText.\n'))).toEqual({
    head: { order: 1 },
    markdown: 'Text.\n',
  });
});

test('a command is run by cmd.exe, which starts batch files', () => {
  expect(windowsCommand(['npm', 'test', '--', 'a b', ''])).toEqual([
    'cmd.exe',
    '/d',
    '/s',
    '/c',
    '"npm test -- "a b" """',
  ]);
  expect(windowsCommand(['npm', 'a&b']).at(-1)).toBe('"npm "a&b""');
  expect(() => windowsCommand(['echo', '%PATH%'])).toThrow('cannot be passed on Windows');
});
