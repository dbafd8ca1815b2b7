import { expect, test } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import { dumpTables } from '../../support/dump-tables.ts';
import { startService } from '../../support/service.ts';
import { createFixtures, operationIds, sendValid } from './valid-requests.ts';

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
    expect((await create('b')).text).not.toBe(first.text);
  },
);
