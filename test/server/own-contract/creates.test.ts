import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { operations } from '../../../generated/operations.ts';
import { dumpTables } from '../../support/dump-tables.ts';
import { startService } from '../../support/service.ts';
import { createFixtures, operationIds, sendValid, validRequestOf } from './valid-requests.ts';

const creates = operationIds.filter((id) => operations[id].method === 'post');

test.each(creates)(
  '%s returns the same response for a repeated Idempotency-Key, and stores nothing again',
  async (id) => {
    const { api, company, store } = await startService();
    const of = await createFixtures(company);
    const create = async (key: string) => {
      const { status, text, headers } = await sendValid(api, id, of, { headers: { 'idempotency-key': key } });
      return { status, text, location: headers.get('location') };
    };
    // `tokens` is left out, because the last use of a token is recorded in the background.
    const rows = () => store.read((db) => dumpTables(db, ['tokens']));
    const first = await create('a');
    expect(first.status).toBe(201);
    const before = await rows();
    expect(await create('a'), `${id} must run in runIdempotent`).toEqual(first);
    expect(await rows(), `${id} stored something for a repeated Idempotency-Key`).toEqual(before);
    const other = validRequestOf(id, of, { text: 'other' });
    const headers = { 'idempotency-key': 'b' };
    const second = await api.send(other.path, { method: 'POST', body: other.body, headers });
    expect(second.status, second.text).toBe(201);
    expect(second.text).not.toBe(first.text);
  },
);

/** The creates whose objects another operation returns, with that operation. */
const readable = creates.flatMap((create) =>
  operationIds
    .filter(
      (id) => operations[id].method === 'get' && operations[id].path === `${operations[create].path}/{id}`,
    )
    .map((get) => [create, get] as const),
);

/** As many as the longest enumeration of the contract has values. */
const variants = Math.max(
  ...Array.from(
    JSON.stringify(document).matchAll(/"enum":\[([^\]]*)/g),
    ([, values = '']) => values.split(',').length,
  ),
);

test.each(readable)('after %s, %s returns each property as it was sent', async (create, get) => {
  const { api, company } = await startService();
  const of = await createFixtures(company);
  for (let variant = 0; variant < variants; variant += 1) {
    const { path, body } = validRequestOf(create, of, { text: `word ${variant}`, variant });
    const created = await api.send(path, { method: 'POST', body });
    expect(created.status, created.text).toBe(201);
    const { id } = created.body;
    expect(created.headers.get('location')).toBe(`${path}/${id}`);
    const read = await sendValid(api, get, of, { id });
    expect(read.body, `${create} must store each property as sent`).toMatchObject(Object(body));
  }
});
