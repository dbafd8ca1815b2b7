import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from '../store.ts';
import { createSockets } from './sockets.ts';

const channel = 'parley_deliveries';

/**
 * Creates a function that notifies other processes of enqueued deliveries. Call it after the commit, because PostgreSQL
 * serializes the commits of transactions that notify. Polling finds deliveries whose notification was missed.
 */
export function createDeliveryNotify(db: Database): () => void {
  let saying = false;
  let again = false;
  const say = async () => {
    saying = true;
    do {
      again = false;
      await sql`select pg_notify(${channel}, '')`.execute(db).catch(() => {});
    } while (again);
    saying = false;
  };
  return () => {
    if (saying) again = true;
    else void say();
  };
}

const pauseMs = 1_000;

/** Listens for notifications on a separate connection, which is replaced when it breaks or `anew` is called. */
export function listenForDeliveries(url: string, tell: () => void): { end: () => void; anew: () => void } {
  let client: Client | undefined;
  let giveUp = () => {};
  let later: NodeJS.Timeout | undefined;
  let ended = false;
  const begin = () => {
    let over = false;
    const sockets = createSockets();
    const mine = new Client({
      connectionString: url,
      application_name: 'parley',
      keepAlive: true,
      stream: sockets.make,
    });
    client = mine;
    const anew = () => {
      if (over) return;
      over = true;
      sockets.destroyAll();
      if (!ended) later = setTimeout(begin, pauseMs).unref();
    };
    giveUp = anew;
    mine.on('error', anew);
    mine.on('end', anew);
    mine.on('notification', tell);
    mine
      .connect()
      .then(() => mine.query(`listen ${channel}`))
      // Called once now, because notifications may have been missed before.
      .then(tell, anew);
  };
  begin();
  return {
    anew: () => giveUp(),
    end() {
      ended = true;
      clearTimeout(later);
      client?.end().catch(() => {});
    },
  };
}
