import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { createNews } from '../delivery-notifier.ts';
import { createTurns } from '../fair-semaphore.ts';
import { trackWork } from '../in-flight.ts';
import { migrate, NotMade, pendingSteps } from '../migrations/migrate.ts';
import { type Database, LockTimeout, type Store } from '../store.ts';
import { whyNot } from './connect-errors.ts';
import { WriteConflict } from './errors.ts';
import { watchConnections } from './failover-detector.ts';
import { createSpread, hearDeliveries } from './listen-notify.ts';
import { briefMs } from './locks.ts';
import { connectPostgres, type PostgresOptions, type Times, usualTimes } from './pool.ts';
import { refuseClosedTables, refuseUnfit, refuseWithoutRights } from './preflight.ts';

// A schema is changed, or a database filled, for as long as it takes.
const unlimited = { lockWaitMs: 0, statementMs: 0 };

/**
 * Which steps of the schema a database still needs. Nothing is written.
 * @throws Error that says why it cannot be used
 */
export async function pendingInPostgres(url: string): Promise<string[]> {
  const { db } = connectPostgres(url, { ...usualTimes, poolSize: 1 });
  try {
    await refuseUnfit(db);
    return await pendingSteps(db, 'postgres');
  } catch (error) {
    throw new Error(whyNot(error), { cause: error });
  } finally {
    await db.destroy();
  }
}

/**
 * Opens a database of PostgreSQL and brings it to the newest schema.
 * @throws NotMade, or Error that says why it cannot be used
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const times = { mayCreate: true, ...usualTimes, ...options };
  await bringUpToDate(url, times).catch((error: unknown) => {
    throw error instanceof NotMade ? error : new Error(whyNot(error), { cause: error });
  });

  const { db, renew, load } = connectPostgres(url, times);
  // Its errors are explained where they come up; what the work itself throws is not the database's.
  const work = trackWork((error) => error);
  // Who waits for a lock holds a connection meanwhile: some are left for those who only read, and most for others.
  const writers = Math.max(1, times.poolSize - keptForReading);
  const inTurn = createTurns({ most: writers, mostEach: Math.ceil(writers / 3), waitMs: times.lockWaitMs });
  const news = createNews(createSpread(db));
  let hearing: ReturnType<typeof hearDeliveries> | undefined;
  const watch = options.watch
    ? watchConnections(url, () => {
        renew();
        hearing?.anew();
      })
    : undefined;
  return {
    read: (reading) => work.use(() => untilInOrder(() => reading(db))),
    readTogether: (reading) =>
      work.use(() =>
        untilInOrder(() =>
          db
            .transaction()
            .setIsolationLevel('repeatable read')
            .setAccessMode('read only')
            .execute((held) => reading(held)),
        ),
      ),
    write: news.after((writing, company = nobody) =>
      work.use(() => inTurn(company, () => untilInOrder(() => inTransaction(db, writing)))),
    ),
    onDeliveries(listener) {
      hearing ??= hearDeliveries(url, news.tell);
      return news.listen(listener);
    },
    load() {
      const { atWork, waiting } = load();
      return {
        isReachable: watch?.isAnswered() ?? true,
        isDamaged: false,
        atWork,
        waiting: waiting + inTurn.waiting(),
      };
    },
    // What was deleted leaves the files with VACUUM, which the database runs itself.
    scrub: async () => false,
    inspect: async () => undefined,
    async close() {
      if (!work.close()) return;
      hearing?.end();
      watch?.end();
      await work.ended();
      await db.destroy();
    },
  };
}

/** On a connection of its own, which may take the time that it takes. */
async function bringUpToDate(url: string, times: Times & { mayCreate: boolean }): Promise<void> {
  const { db: patient } = connectPostgres(url, { ...times, ...unlimited, poolSize: 1 });
  try {
    await refuseUnfit(patient);
    if ((await pendingSteps(patient, 'postgres')).length > 0) {
      await refuseWithoutRights(patient);
      await untilLocked(() =>
        inTransaction(patient, async (db) => {
          // Whatever the database or the user is set to.
          await sql`set local statement_timeout = 0`.execute(db);
          await migrate(db, 'postgres', times);
        }),
      );
    }
    await refuseClosedTables(patient);
  } finally {
    await patient.destroy();
  }
}

/** Gives others their turn between two tries, and tries for as long as it takes. */
async function untilLocked(work: () => Promise<void>): Promise<void> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
      await wait(briefMs);
    }
}

const inTransaction = <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setAccessMode('read write')
    .execute((held) => work(held));

// Searches take three of them at the most.
const keptForReading = 4;

/** The service itself, and operators. */
const nobody = 0;

const mostTries = 5;
const longestPauseMs = 50;

/** Locks are taken in one order, so this is for what nobody has thought of. */
async function untilInOrder<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === mostTries) throw error;
    }
    await wait(randomInt(longestPauseMs));
  }
}
