import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insertCompany } from '../../../../server/storage/queries/companies.ts';
import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { emptyStore, names } from '../empty-store.ts';

test('failed writes of a group are rolled back, and the other writes are committed once, in order', async () => {
  const { store } = await emptyStore();
  let written: string[] = [];
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (sound) => {
      turn += 1;
      const nameOf = (index: number) => `${turn} ${index}`;
      const outcomes = await Promise.allSettled(
        sound.map((isValid, index) =>
          store.write(async (db) => {
            const id = await insertCompany(db, { name: nameOf(index), created_at: index });
            if (!isValid) throw new Error(nameOf(index));
            return id;
          }),
        ),
      );
      // Each caller gets its own error.
      expect(
        outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : true)),
      ).toEqual(sound.map((isValid, index) => isValid || nameOf(index)));
      written = [...written, ...sound.flatMap((isValid, index) => (isValid ? [nameOf(index)] : []))];
      expect(await names(store)).toEqual(written);
    }),
    { numRuns: sampleCount(50), seed },
  );
});

test('no other connection can write while a failed group is retried', async () => {
  const { database, store } = await emptyStore(({ file }) => openSqlite(file));
  const other = new DatabaseSync(database.file, { timeout: 0 });
  const tried: boolean[] = [];
  const writing = (fails: boolean) =>
    store.write(async (db) => {
      await insertCompany(db, { name: 'One', created_at: 1 });
      try {
        other.exec('BEGIN IMMEDIATE; ROLLBACK');
        tried.push(true);
      } catch {
        tried.push(false);
      }
      if (fails) throw new Error('mine');
    });
  const outcomes = await Promise.allSettled([writing(false), writing(true), writing(false)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  // Five attempts: the first two writes together, then each of the three separately.
  expect(tried).toEqual([false, false, false, false, false]);
  other.close();
});
