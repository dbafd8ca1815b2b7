import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createSockets } from './sockets.ts';

/** How often is asked whether a connection still leads somewhere, and how soon that is answered. */
const defaultTimes = { everyMs: 1_000, silentMs: 3_000 };

// A database that has just begun to answer again answers both.
const shutdownTimeoutMs = 1_000;

/** A connection, and a way to give it up without a word. */
interface Line {
  client: Client;
  drop: () => void;
}

/**
 * Finds out that the machine at the other end of connections is gone without a word, as in a failover: an old
 * connection says nothing while a new one to the same address answers. A database that says nothing on either is
 * slow, and what waits for it goes on waiting.
 * @param onGone told that connections made before now lead nowhere
 */
export function detectFailover(
  url: string,
  onGone: () => void,
  { everyMs, silentMs }: typeof defaultTimes = defaultTimes,
): { end: () => void; isAnswered: () => boolean } {
  const lines = new Set<Line>();
  let ended = false;
  let isAnswered = true;

  async function newLine(): Promise<Line | undefined> {
    const sockets = createSockets();
    const client = new Client({
      connectionString: url,
      application_name: 'parley',
      connectionTimeoutMillis: silentMs,
      stream: sockets.make,
    });
    client.on('error', () => {});
    const line = {
      client,
      drop() {
        sockets.destroyAll();
        lines.delete(line);
      },
    };
    lines.add(line);
    try {
      await client.connect();
      // A server that answers to nobody else takes connections all the same.
      if (!ended && (await Promise.race([answerOf(line), pause(silentMs)]))) return line;
    } catch {
      // It is away, or does not take connections yet.
    }
    line.drop();
    return undefined;
  }

  /** Watches one connection. @returns the one to watch next; undefined where that is still to be made */
  async function watchOne(old: Line): Promise<Line | undefined> {
    while (!ended) {
      isAnswered = true;
      await pause(everyMs);
      let known: boolean | undefined;
      const pulse = answerOf(old).then((response) => {
        known = response;
      });
      await Promise.race([pulse, pause(silentMs)]);
      while (known === undefined && !ended) {
        isAnswered = false;
        const other = await newLine();
        await Promise.race([pulse, pause(other ? shutdownTimeoutMs : everyMs)]);
        if (other && known === undefined) {
          onGone();
          old.drop();
          return other;
        }
        other?.drop();
      }
      if (!known) break;
    }
    old.drop();
    return undefined;
  }

  async function run(): Promise<void> {
    let line: Line | undefined;
    while (!ended) {
      line ??= await newLine();
      isAnswered = line !== undefined;
      if (line) line = await watchOne(line);
      else await pause(everyMs);
    }
  }

  void run();
  return {
    isAnswered: () => isAnswered,
    end() {
      ended = true;
      for (const line of lines) line.drop();
    },
  };
}

/** False where the connection has ended. */
const answerOf = ({ client }: Line): Promise<boolean> =>
  client.query('select 1').then(
    () => true,
    () => false,
  );

const pause = (ms: number): Promise<undefined> => wait(ms, undefined, { ref: false });
