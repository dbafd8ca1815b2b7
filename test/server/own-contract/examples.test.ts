import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };

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
