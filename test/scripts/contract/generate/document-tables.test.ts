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
  for (const text of [empty, filled.replace('blue', 'red'), filled, filled.replace('\n\nEat them.', '')])
    expect(fillTables(text, tables)).toBe(
      text.endsWith('Eat them.\n') ? filled : filled.replace('\n\nEat them.', ''),
    );
});

test('names an unknown table, and a table that does not end', async () => {
  expect(() => fillTables(filled, {})).toThrow('There is no table fruits.');
  const open = filled.replace('<!-- end of table -->', '');
  for (const text of [open, `${open}${filled}`, `${filled}<!-- end of table -->\n`])
    expect(() => fillTables(text, tables)).toThrow('with the line: <!-- end of table -->');
  const file = join(await temporaryFolder(), 'a.md');
  const settings = { tables: { files: [file], load: async () => tables } };
  await writeFile(file, filled.replace('fruits', 'toString'));
  await expect(staleDocuments(settings, document)).rejects.toThrow(`${file}: There is no table toString.`);
});

test('returns the documents whose tables are stale', async () => {
  const folder = await temporaryFolder();
  const [stale, fresh] = [join(folder, 'stale.md'), join(folder, 'fresh.md')];
  await writeFile(stale, filled.replace('blue', 'red'));
  await writeFile(fresh, filled);
  const load = async () => tables;
  const found = await staleDocuments({ tables: { files: [stale, fresh], load } }, document);
  expect(found).toEqual({ [stale]: filled });
});
