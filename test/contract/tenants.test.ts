import { expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../generated/operations.ts';
import { scopes as allScopes } from '../../server/contract/scopes.ts';
import type { Store } from '../../server/storage/store.ts';
import type { Reply } from '../http.ts';
import { makeCompany, startService } from '../service.ts';
import { call, type Furnished, furnish, operationIds, sound } from './sound-requests.ts';

/** Generated from the contract: an operation, a path or a property that is new is covered by being there. */

const none = 4_999_999;

/** What a segment of a path holds. */
const kinds: Record<string, keyof Furnished> = {
  contacts: 'contact',
  conversations: 'conversation',
  messages: 'message',
  webhooks: 'webhook',
};

/** Whose number a property of a body is; null where it is nobody's in here, or stands in no table of ours. */
const owners: Record<string, keyof Furnished | 'company' | 'own' | null> = {
  '/conversation_id': 'conversation',
  '/fields/0/id': 'field',
  '/company_id': 'company',
  // The number in the path once more.
  '/id': 'own',
  // Only told along with a value that was read, and ignored (D13).
  '/fields/0/company_id': null,
  '/user_id': null,
  '/automation_id': null,
  // Selectors of a webhook: small enumerations.
  '/verb_id': null,
  '/entity_id': null,
  '/action_id': null,
};

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

const schemas = new Map<string, Schema>(
  Object.entries(document.components.schemas as Record<string, Schema>),
);
const followed = (schema: Schema): Schema =>
  schema.$ref ? (schemas.get(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)) ?? {}) : schema;

/** Every place in a body that holds a number whose name says that it is an id. */
function idPlaces(given: Schema, place = ''): string[] {
  const { properties = {}, items } = followed(given);
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => [
      ...(/^id$|_id$/.test(name) ? [`${place}/${name}`] : []),
      ...idPlaces(inner, `${place}/${name}`),
    ]),
    ...(items ? idPlaces(items, `${place}/0`) : []),
  ];
}

type Documented = { requestBody?: { content: { 'application/json': { schema: Schema } } } };

function bodyPlaces(id: OperationId): string[] {
  const { path, method } = operations[id];
  const item = document.paths[path] as Record<string, Documented>;
  const schema = item[method]?.requestBody?.content['application/json'].schema;
  return schema ? idPlaces(schema) : [];
}

async function neighbours() {
  const service = await startService();
  const other = await makeCompany(service.store, service.base);
  const ours = await furnish(service.company);
  const theirs = await furnish(other);
  await service.store.write((db) => db.updateTable('tokens').set({ last_used_at: 0 }).execute());
  return { ...service, ours, theirs, other };
}

const tables = [
  'contacts',
  'fields',
  'field_values',
  'conversations',
  'messages',
  'webhooks',
  'deliveries',
  'delivery_payloads',
] as const;

const everythingOf = (store: Store, companyId: number) =>
  store.read((db) =>
    Promise.all(
      tables.map((table) => db.selectFrom(table).selectAll().where('company_id', '=', companyId).execute()),
    ),
  );

const told = ({ status, text }: Reply, id: number) => ({
  status,
  text: text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'N'),
});

const withPath = operationIds.filter((id) => operations[id].path.includes('{'));

test.each(withPath)(
  '%s answers the id of another company as one that never was, and changes nothing',
  async (id) => {
    const { api, ours, theirs, other, store } = await neighbours();
    const kind = kinds[operations[id].path.split('/').at(-2) ?? ''];
    if (!kind) throw new Error(`Say in this test what ${operations[id].path} names.`);
    const before = await everythingOf(store, other.id);
    const foreign = await call(api, id, ours, { id: theirs[kind] });
    expect(foreign).toBeRefused(404, 40401, 'path/id');
    expect(told(foreign, theirs[kind])).toEqual(told(await call(api, id, ours, { id: none }), none));
    expect(await everythingOf(store, other.id)).toEqual(before);
  },
);

const places = operationIds.flatMap((id) =>
  bodyPlaces(id).map((place): [OperationId, string] => [id, place]),
);

test('there are places in bodies that name things', () => {
  expect(places.length).toBeGreaterThan(5);
});

test.each(places)('%s refuses the id of another company at %s as one that never was', async (id, place) => {
  if (!(place in owners)) throw new Error(`Say in this test whose number ${place} is.`);
  const owner = owners[place];
  if (owner === null || owner === undefined) return;
  const { api, ours, theirs, other, store } = await neighbours();
  const before = await everythingOf(store, other.id);
  const foreign = { ...theirs, company: other.id, own: sound[id](theirs).id ?? 0 }[owner];
  const send = (number: number) =>
    call(api, id, ours, { body: withValue(sound[id](ours).body, place, number) });
  const reply = await send(foreign);
  expect(reply).toBeRefused(422, 42201, place);
  expect(told(reply, foreign)).toEqual(told(await send(none), none));
  expect(await everythingOf(store, other.id)).toEqual(before);
});

function withValue(body: unknown, place: string, number: number): unknown {
  const copy = structuredClone(body);
  const names = place.split('/').slice(1);
  let at = copy as Record<string, never>;
  for (const name of names.slice(0, -1)) at = at[name] as never;
  at[names.at(-1) ?? ''] = number as never;
  return copy;
}

test.each(operationIds)('%s shows nothing of another company', async (id) => {
  const { api, ours, other, store } = await neighbours();
  await store.write((db) =>
    db.updateTable('contacts').set({ first_name: 'THEIRS' }).where('company_id', '=', other.id).execute(),
  );
  const reply = await call(api, id, ours);
  expect(reply.status).toBeLessThan(300);
  expect(reply.text).not.toContain('THEIRS');
  for (const [, companyId] of reply.text.matchAll(/"company_id":(\d+)/g))
    expect(companyId).not.toBe(String(other.id));
});

const lacking = operationIds.flatMap((id) =>
  operations[id].security.flatMap(({ bearerAuth }) =>
    bearerAuth.map((scope): [OperationId, string] => [id, scope]),
  ),
);

test.each(lacking)('%s is refused to a token that lacks %s alone', async (id, scope) => {
  const { company, ours } = await neighbours();
  const without = (await company.token(allScopes.filter((other) => other !== scope))).api;
  const refused = await call(without, id, ours);
  expect(refused).toBeRefused(403, 40301, '');
  expect(refused.body.message).toContain(scope);
});

test.each(operationIds)('%s asks for no scope but those that it names', async (id) => {
  const { company, ours } = await neighbours();
  const named = operations[id].security.flatMap(({ bearerAuth }) => [...bearerAuth]);
  // A webhook tells of an entity, so whoever registers one must be able to read it (D32).
  const needed = ['createWebhook', 'updateWebhook'].includes(id) ? [...named, 'contacts:read'] : named;
  expect((await call((await company.token(needed)).api, id, ours)).status).toBeLessThan(300);
});

/** What whoever sees one of these in an answer must be allowed to read (D32); a contact tells of its fields itself. */
const readBy: Record<string, string> = {
  Contact: 'contacts:read',
  Conversation: 'conversations:read',
  Message: 'messages:read',
};

/** The schemas that a part of the contract shows, however deep. */
function schemasIn(part: unknown, seen = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return seen;
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref' || typeof value !== 'string') schemasIn(value, seen);
    else if (!seen.has(value)) {
      seen.add(value);
      const target = value
        .slice(2)
        .split('/')
        .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], document);
      schemasIn(target, seen);
    }
  }
  return seen;
}

const shownBy = (id: OperationId): string[] => {
  const { path, method } = operations[id];
  const shown = [...schemasIn(operationAt(path, method))].map((ref) => ref.slice(ref.lastIndexOf('/') + 1));
  return Object.keys(readBy).filter((name) => shown.includes(name));
};

function operationAt(path: keyof typeof document.paths, method: string): unknown {
  const operation = Object.entries(document.paths[path]).find(([name]) => name === method)?.[1];
  return operation && 'responses' in operation ? operation.responses : undefined;
}

test('whatever an answer shows, a scope allows to read, and whatever is changed, one to write', () => {
  const scopesOf = (id: OperationId): string[] =>
    operations[id].security.flatMap(({ bearerAuth }) => [...bearerAuth]);
  for (const id of operationIds) {
    expect(scopesOf(id), id).toEqual(expect.arrayContaining(shownBy(id).map((name) => readBy[name])));
    const writes = operations[id].method !== 'get';
    expect(
      scopesOf(id).some((scope) => scope.endsWith(':write')),
      id,
    ).toBe(writes);
  }
  expect(shownBy('getConversation')).toEqual(['Conversation', 'Message']);
});
