import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import {
  fillTables,
  markdownTable,
  staleDocuments,
} from '../../../../scripts/contract/generate/document-tables.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const tables = { fruits: markdownTable(['name', 'color'], [['plum', '`blue`']]) };
const filled = `# Fruits

<!-- table: fruits -->
| name | color |
|---|---|
| plum | \`blue\` |
<!-- end of table -->

Eat them.
`;

test('writes each table between its lines, and leaves the rest as it is', () => {
  const empty = filled.replace(/\| .* \|\n/s, '');
  expect(empty).toContain('<!-- table: fruits -->\n<!-- end of table -->');
  expect(fillTables(empty, tables)).toBe(filled);
  expect(fillTables(filled.replace('blue', 'red'), tables)).toBe(filled);
  expect(fillTables(filled, tables)).toBe(filled);
});

test('names an unknown table, and a table without an end', async () => {
  expect(() => fillTables(filled, {})).toThrow('There is no table fruits.');
  expect(() => fillTables(filled.replace('end of', 'end'), tables)).toThrow('A table has no end.');
  expect(() => fillTables(`${filled}<!-- end of table -->\n`, tables)).toThrow('A table has no end.');
  const file = join(await temporaryFolder(), 'a.md');
  await writeFile(file, filled.replace('fruits', 'toString'));
  const settings = { tables: { files: [file], load: async () => tables } };
  await expect(staleDocuments(settings, document)).rejects.toThrow(`${file}: There is no table toString.`);
});

test('returns the documents whose tables are stale', async () => {
  const folder = await temporaryFolder();
  const files = [join(folder, 'stale.md'), join(folder, 'fresh.md')];
  await writeFile(files[0] ?? '', filled.replace('blue', 'red'));
  await writeFile(files[1] ?? '', filled);
  const found = await staleDocuments({ tables: { files, load: async () => tables } }, document);
  expect(found).toEqual({ [files[0] ?? '']: filled });
});
