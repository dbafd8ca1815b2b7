import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { expandedPointer } from '../../../scripts/guide-tables/additions-table.ts';

const page = readFileSync('openapi/specification.md', 'utf8');
const decisions = new Set(
  Array.from(readFileSync('openapi/decisions.md', 'utf8').matchAll(/^## (D\d+)/gm), ([, id]) => id),
);

interface Row {
  section: string;
  row: string;
  locations: string[];
}

const rows: Row[] = page.split(/^## /m).flatMap((part) => {
  const section = part.split('\n')[0] ?? '';
  return Array.from(part.matchAll(/^\| (?!Row |-)(.+) \| (.+) \|$/gm), ([, row = '', text = '']) => {
    const locations = text.split(', ').map((location) => location.replaceAll('`', ''));
    // A row that lists fields stands for one row per field.
    const fields = locations.length === 1 ? locations.flatMap(expandedPointer) : [];
    return fields.length > 1
      ? fields.map((field) => ({ section, row, locations: [field] }))
      : [{ section, row, locations }];
  }).flat();
});

/** Returns the value at a JSON Pointer (RFC 6901). */
function at(pointer: string): unknown {
  let value: unknown = document;
  for (const name of pointer.split('/').slice(1)) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    value =
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([each]) => each === key)?.[1]
        : undefined;
  }
  return value;
}

/** The rows of the specification, per section: its tables, lists and open questions. */
const rowsOf = `Introduction:2 1:11 2:2 2.1:16 2.2:12 2.3:17 2.4:10 2.5:6 2.6:3 3:4 4:2 4.1:17 4.2:2
  4.3:7 4.4:6 4.5:10 4.6:2 5:4 6:10 7:3 8:4 9:5`;

test('specification.md has all rows of each section', () => {
  const counts = Object.entries(Object.groupBy(rows, ({ section }) => section.split(' ')[0] ?? ''));
  const found = counts.map(([section, all = []]) => `${section}:${all.length}`);
  expect(found.toSorted()).toEqual(rowsOf.split(/\s+/).toSorted());
});

test('every row of specification.md has a location in the contract, and every location exists', () => {
  expect(rows.length).toBeGreaterThan(120);
  for (const { section, row, locations } of rows) {
    expect(locations.length, `${section}: ${row}`).toBeGreaterThan(0);
    for (const location of locations) {
      const link = /\]\((.+)\)$/.exec(location)?.[1];
      const isThere = link
        ? existsSync(`openapi/${link}`)
        : location.startsWith('/')
          ? at(location) !== undefined
          : decisions.has(location);
      expect(isThere, `${section}: ${row}: ${location}`).toBe(true);
      if (location.startsWith('/tags/') && section.startsWith('1 '))
        expect(at(`${location}/name`), `correct ${location} in specification.md`).toMatch(
          new RegExp(`^${row}$`, 'i'),
        );
    }
  }
});

test("the changelog begins with the contract's version, and its first entry names the operations", () => {
  const changelog = readFileSync('openapi/CHANGELOG.md', 'utf8');
  const [newest] = changelog.match(/^## .*$/m) ?? [];
  expect(newest).toMatch(/^## \d{4}-\d\d-\d\d · /);
  expect(newest?.split(' · ')[1]).toBe(document.info.version);
  expect(changelog).toContain('## 2022-06-28 · 1.1.8');
  for (const words of ['Contacts: list, create, search, get, update', 'Webhooks: create, update, delete'])
    expect(changelog).toContain(words);
});
