import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };

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
  return Array.from(part.matchAll(/^\| (?!Row |-)(.+) \| (.+) \|$/gm), ([, row = '', locations = '']) => ({
    section,
    row,
    locations: locations.split(', ').map((location) => location.replaceAll('`', '')),
  }));
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

/** Number of rows in specification.md per section of the specification: its tables, lists and open questions. */
const expected: Record<string, number> = {
  '1': 11,
  '2': 2,
  '2.1': 16,
  '2.2': 12,
  '2.3': 17,
  '2.4': 10,
  '2.5': 6,
  '2.6': 3,
  '3': 4,
  '4': 2,
  '4.1': 17,
  '4.2': 2,
  '4.3': 7,
  '4.4': 6,
  '4.5': 10,
  '4.6': 2,
  '5': 4,
  '6': 10,
  '7': 3,
  '8': 4,
  '9': 5,
};

test.each(Object.entries(expected))('section %s has all its %i rows in specification.md', (number, count) => {
  expect(rows.filter(({ section }) => section.split(' ')[0] === number)).toHaveLength(count);
});

test('specification.md covers every section of the specification', () => {
  const sections = new Set(rows.map(({ section }) => section.split(' ')[0]));
  for (const number of [
    '1',
    '2',
    '3',
    '4',
    '4.1',
    '4.2',
    '4.3',
    '4.4',
    '4.5',
    '4.6',
    '5',
    '6',
    '7',
    '8',
    '9',
  ])
    expect(sections, number).toContain(number);
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
    }
  }
});

const named = new Set(rows.flatMap(({ locations }) => locations));
const encoded = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
const { schemas, responses, parameters, headers } = document.components;

/** Returns the names of the components of one kind that a part of the contract refers to directly. */
const namesIn = (kind: string, part: unknown): string[] => [
  ...new Set(
    Array.from(
      JSON.stringify(part).matchAll(new RegExp(`"#/components/${kind}/(\\w+)"`, 'g')),
      ([, name = '']) => name,
    ),
  ),
];

/** The schemas of request bodies and of response bodies, or of their items if they are arrays. */
const bodySchemas = namesIn('schemas', document.paths);
const responseSchemas = namesIn(
  'schemas',
  namesIn('responses', document.paths).map((name) =>
    Object.entries(responses).find(([each]) => each === name),
  ),
);

const propertiesOf = (name: string): string[] => {
  const schema: object = Object.entries(schemas).find(([each]) => each === name)?.[1] ?? {};
  const properties = 'properties' in schema && schema.properties ? Object.keys(schema.properties) : [];
  return properties.map((property) => `/components/schemas/${name}/properties/${property}`);
};

test.each([
  [
    'operation',
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'parameters')
        .map((method) => `/paths/${encoded(path)}/${method}`),
    ),
  ],
  ['event', Object.keys(document.webhooks).map((type) => `/webhooks/${type}`)],
  ['property of a resource', responseSchemas.flatMap(propertiesOf)],
  ['property of a body', bodySchemas.flatMap(propertiesOf)],
  [
    'parameter of an operation',
    Object.keys(parameters)
      .filter((name) => !name.endsWith('Payload') && !name.startsWith('Event'))
      .map((name) => `/components/parameters/${name}`),
  ],
  ['header of a response', Object.keys(headers).map((name) => `/components/headers/${name}`)],
])('specification.md has a row for every %s in the contract', (_what, locations) => {
  expect(locations.length).toBeGreaterThan(5);
  expect(locations.filter((location) => !named.has(location))).toEqual([]);
});

test("the changelog begins with the contract's version, and its first entry names the operations", () => {
  const changelog = readFileSync('openapi/CHANGELOG.md', 'utf8');
  const [newest] = changelog.match(/^## .*$/m) ?? [];
  expect(newest).toMatch(/^## \d\d\/\d\d\/\d{4} · /);
  expect(newest?.split(' · ')[1]).toBe(document.info.version);
  expect(changelog).toContain('## 28/06/2022 · 1.1.8');
  for (const words of ['Contacts: list, create, search, get, update', 'Webhooks: create, update, delete'])
    expect(changelog).toContain(words);
});
