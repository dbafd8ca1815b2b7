import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { isServerError } from './errors.ts';

/** When a database counts as lost, in milliseconds. */
export interface WatchTimes {
  /** Interval of the check. */
  everyMs: number;
  /** A connection without a response for this long may be dead. */
  silentMs: number;
  /** After a recovery, a database responds to both connections within this time. */
  recoveryGraceMs: number;
}

// Together less than 5 s, after which callers no longer use a lost server.
const defaultTimes: WatchTimes = { everyMs: 500, silentMs: 3_000, recoveryGraceMs: 1_000 };

interface WatchOptions extends Partial<WatchTimes> {
  /** Called when a failover is detected, after which all existing connections are dead. */
  onFailover: () => void;
}

/** A connection, with a way to close it abruptly. */
interface Line {
  client: Client;
  drop: () => void;
}

/**
 * Keeps a connection outside of the pool, which shows whether the database responds. It detects a failover that closes no
 * connections: this connection does not respond, while a new one to the same host does. If neither responds, the database
 * is slow, and callers keep waiting. A connection that has ended is replaced.
 */
export function watchDatabase(url: string, options: WatchOptions) {
  const { everyMs, silentMs, recoveryGraceMs, onFailover } = { ...defaultTimes, ...options };
  const lines = new Set<Line>();
  let isResponsive = true;
  let ended = false;

  /** Resolves to true when the server responds, and to false if the connection has ended. */
  const beat = ({ client }: Line): Promise<boolean> =>
    client.query('select 1').then(() => true, isServerError);

  async function connect(): Promise<Line | undefined> {
    const sockets = createSockets();
    const client = new Client({ connectionString: url, application_name: 'parley', stream: sockets.make });
    const line: Line = {
      client,
      drop() {
        sockets.destroyAll();
        lines.delete(line);
      },
    };
    client.on('error', () => {});
    lines.add(line);
    // An overloaded server may still accept connections, so the new connection must also respond to a query.
    const response = client.connect().then(
      () => beat(line),
      () => false,
    );
    if (await within(response, silentMs)) return line;
    line.drop();
    return undefined;
  }

  /** Checks a connection. @returns the connection to check next; undefined if no connection is open */
  async function check(line: Line): Promise<Line | undefined> {
    const pulse = beat(line);
    let response = await within(pulse, silentMs);
    while (response === undefined && !ended) {
      isResponsive = false;
      const other = await connect();
      response = await within(pulse, other ? recoveryGraceMs : everyMs);
      if (other && response === undefined) {
        onFailover();
        line.drop();
        return other;
      }
      other?.drop();
    }
    if (response) return line;
    line.drop();
    return undefined;
  }

  async function run(): Promise<void> {
    let line: Line | undefined;
    while (!ended) {
      line ??= await connect();
      isResponsive = line !== undefined;
      await pause(everyMs);
      if (line && !ended) line = await check(line);
    }
  }

  void run();
  return {
    /** Returns false while the database does not respond. */
    isResponsive: (): boolean => isResponsive,
    end(): void {
      ended = true;
      for (const line of lines) line.drop();
    },
  };
}

const pause = (ms: number): Promise<undefined> => wait(ms, undefined, { ref: false });

/** Resolves to undefined if the response takes longer. */
const within = (response: Promise<boolean>, ms: number): Promise<boolean | undefined> =>
  Promise.race([response, pause(ms)]);

/**
 * Creates the sockets of connections, so that they can be destroyed. pg would end a connection gracefully and wait
 * for a response.
 */
export function createSockets() {
  const open = new Set<Socket>();
  return {
    make(): Socket {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    destroyAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
