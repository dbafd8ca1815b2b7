import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../../generated/operations.ts';
import { locationsIn, withValue } from '../../../scripts/contract/mock/scenarios/body-scenarios.ts';
import { expandedPointer } from '../../../scripts/guide-tables/additions-table.ts';
import { operationsOf } from '../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../scripts/testing/schema-values/values.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { scopes as allScopes } from '../../../server/own-contract/scopes.ts';
import { sampleCount, seed } from '../../support/sampling.ts';
import { operationIds } from './valid-requests.ts';

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

const context = createSchemaContext(document);
const bodies = operationsOf(context).flatMap(({ id, body }) =>
  (body?.content ?? []).map(({ schema }) => ({ id, schema })),
);

// D15: a misspelt property must not be ignored.
test.each(bodies)('$id accepts no unknown property, at any depth of its body', ({ schema }) => {
  for (const body of fc.sample(valuesOf(context, [schema]), { numRuns: sampleCount(50), seed }))
    for (const { pointer, value } of locationsIn(body))
      if (isObject(value)) {
        const changed = withValue(body, pointer, { ...value, unknown_property: 1 });
        expect(context.isValid(schema, changed), JSON.stringify(changed)).toBe(false);
      }
});

/** The scope that permits reading each entity: `contacts:read` for the schema `Contact`. */
const readScopes: Record<string, string> = Object.fromEntries(
  Object.keys(document.components.schemas)
    .map((name) => [name, `${name.toLowerCase()}s:read`])
    .filter(([, scope = '']) => allScopes.includes(scope)),
);

/** Returns the names of the entities in the responses of an operation. */
function entitiesIn(id: OperationId): string[] {
  const { path, method } = operations[id];
  const operation: unknown = Object.entries(document.paths).find(([key]) => path.endsWith(key))?.[1];
  const { [method]: described } = operation as Record<string, { responses: unknown } | undefined>;
  const references = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [reference] of JSON.stringify(node ?? null).matchAll(
      /#\/components\/(?:responses|schemas)\/\w+/g,
    )) {
      if (references.has(reference)) continue;
      references.add(reference);
      const [, , kind = '', name = ''] = reference.split('/');
      const components: Record<string, Record<string, unknown>> = document.components;
      visit(components[kind]?.[name]);
    }
  };
  visit(described?.responses);
  return Object.keys(readScopes)
    .filter((name) => references.has(`#/components/schemas/${name}`))
    .sort();
}

test.each(operationIds)('%s requires the read scopes of its responses, and a write scope to write', (id) => {
  const scopes = operations[id].security.flatMap(({ bearerAuth }): readonly string[] => bearerAuth);
  const missing = entitiesIn(id)
    .map((name) => readScopes[name])
    .filter((scope) => !scopes.includes(scope ?? ''));
  expect(missing, `scopes missing on ${id}, because its responses contain these entities`).toEqual([]);
  const writes = scopes.some((scope) => scope.endsWith(':write'));
  expect(writes, `whether ${id} requires a write scope`).toBe(operations[id].method !== 'get');
});

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Returns every object in a value. */
function objectsIn(value: unknown): Node[] {
  if (!isNode(value)) return [];
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)];
}

const examples = new Map<string, { value: unknown }>(Object.entries(document.components.examples));

/** Properties that never change, so they have the same values in all examples of an object. */
const constant = 'company_id created_at conversation_id caller_id service type order name'.split(' ');

test('an ID belongs to the same object in every example', () => {
  const things = new Map<string, Node>();
  let met = 0;
  for (const { value } of examples.values())
    for (const object of objectsIn(value)) {
      const kind = ['caller_id', 'first_name', 'icon', 'conversation_id'].find((name) => name in object);
      if (!('id' in object && 'created_at' in object) || !kind) continue;
      const name = `${kind} ${object.id}`;
      const known = things.get(name) ?? object;
      things.set(name, known);
      met += 1;
      for (const property of constant)
        expect(object[property], `${name} ${property}`).toEqual(known[property]);
      expect(String(object.updated_at) >= String(object.created_at), name).toBe(true);
    }
  expect(met).toBeGreaterThan(40);
  expect(things.size).toBeGreaterThan(10);
});

test('every object that an example refers to appears in an example', () => {
  const all = [...examples.values()].flatMap(({ value }) => objectsIn(value));
  const has = (property: string, id: unknown) => all.some((object) => property in object && object.id === id);
  for (const object of all) {
    if ('conversation_id' in object && 'payload' in object)
      expect(has('caller_id', object.conversation_id), JSON.stringify(object)).toBe(true);
    if ('caller_id' in object) expect(has('first_name', object.caller_id)).toBe(true);
  }
});

test('the example of each event shows the state after the event, such as deleted or archived', () => {
  const seen = new Set<string>();
  for (const [name, { value }] of examples) {
    if (!name.endsWith('Event') || !isNode(value) || !isNode(value.data)) continue;
    const { type, data } = value;
    if ('deleted_at' in data) expect(data.deleted_at !== null, name).toBe(String(type).endsWith('.deleted'));
    if (type === 'conversation.archived') expect(data.archived, name).not.toBe(null);
    if (type === 'conversation.forwarded_to_team') expect(data.team_id, name).not.toBe(null);
    if (type === 'conversation.forwarded_to_agent') expect(data.user_id, name).not.toBe(null);
    seen.add(String(type));
  }
  expect(seen).toEqual(new Set(Object.keys(document.webhooks)));
});
