import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createSockets } from './sockets.ts';

/** When a database counts as lost, in milliseconds. */
export interface FailoverTimes {
  /** Interval of the check. */
  everyMs: number;
  /** A connection without a response for this long may be dead. */
  silentMs: number;
  /** After a recovery, a database responds to both connections within this time. */
  recoveryGraceMs: number;
}

/** A connection, with a way to close it abruptly. */
interface Line {
  client: Client;
  drop: () => void;
}

/**
 * Detects a failover that closes no connections: an old connection does not respond, while a new one to the same host
 * does. If neither responds, the database is slow, and callers keep waiting.
 * @param onGone called when a failover is detected, after which all existing connections are dead
 */
export function detectFailover(
  url: string,
  onGone: () => void,
  { everyMs, silentMs, recoveryGraceMs }: FailoverTimes,
): { end: () => void; isResponsive: () => boolean } {
  const lines = new Set<Line>();
  let ended = false;
  let isResponsive = true;

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
      // An overloaded server may still accept connections, so the new connection must also respond to a query.
      if (!ended && (await Promise.race([answerOf(line), pause(silentMs)]))) return line;
    } catch {
      // The database is unavailable.
    }
    line.drop();
    return undefined;
  }

  /**
   * Watches a connection until it ends or is found dead.
   * @returns the connection that replaces it; undefined if the caller must open a new one
   */
  async function watchOne(old: Line): Promise<Line | undefined> {
    while (!ended) {
      isResponsive = true;
      await pause(everyMs);
      let known: boolean | undefined;
      const pulse = answerOf(old).then((response) => {
        known = response;
      });
      await Promise.race([pulse, pause(silentMs)]);
      while (known === undefined && !ended) {
        isResponsive = false;
        const other = await newLine();
        await Promise.race([pulse, pause(other ? recoveryGraceMs : everyMs)]);
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
      isResponsive = line !== undefined;
      if (line) line = await watchOne(line);
      else await pause(everyMs);
    }
  }

  void run();
  return {
    isResponsive: () => isResponsive,
    end() {
      ended = true;
      for (const line of lines) line.drop();
    },
  };
}

/** Resolves to true when the connection responds, and to false if it has ended. */
const answerOf = ({ client }: Line): Promise<boolean> =>
  client.query('select 1').then(
    () => true,
    () => false,
  );

const pause = (ms: number): Promise<undefined> => wait(ms, undefined, { ref: false });
