import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from '../store.ts';
import { createSockets } from './sockets.ts';

const channel = 'parley_deliveries';

/**
 * Tells other processes that there is something to send. It is said after the commit and not in it: PostgreSQL
 * lets only one transaction commit at a time that has said something. Where nobody hears it, they find out by
 * themselves.
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

/** Hears what other processes say, on a connection of its own that is made anew when it breaks, or when it is asked to. */
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
      // Something may have been said meanwhile.
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
