import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

/** How often is asked whether a connection still leads somewhere, and how soon that is answered. */
const usualTimes = { everyMs: 1_000, silentMs: 3_000 };

// A database that has just begun to answer again answers both.
const graceMs = 1_000;

/**
 * Finds out that the machine at the other end of connections is gone without a word, as in a failover: an old
 * connection says nothing while a new one to the same address answers. A database that says nothing on either is
 * slow, and what waits for it goes on waiting.
 * @param onGone told that connections made before now lead nowhere
 * @returns ends it
 */
export function watchConnections(
  url: string,
  onGone: () => void,
  { everyMs, silentMs }: typeof usualTimes = usualTimes,
): () => void {
  let ended = false;
  let client: Client | undefined;

  async function newConnection(): Promise<Client | undefined> {
    const made = new Client({
      connectionString: url,
      application_name: 'parley',
      connectionTimeoutMillis: silentMs,
    });
    made.on('error', () => {});
    try {
      await made.connect();
      // A server that answers to nobody else takes connections all the same.
      if ((await answered(made, silentMs)) === true) return made;
    } catch {
      // It is away, or does not take connections yet.
    }
    made.end().catch(() => {});
    return undefined;
  }

  /** Watches one connection. @returns the one to watch next; undefined where that is still to be made */
  async function watchOne(old: Client): Promise<Client | undefined> {
    while (!ended) {
      await pause(everyMs);
      let known: Answer;
      const pulse = answerOf(old).then((answer) => {
        known = answer;
        return answer;
      });
      await Promise.race([pulse, pause(silentMs)]);
      while (known === undefined && !ended) {
        const other = await newConnection();
        await Promise.race([pulse, pause(other ? graceMs : everyMs)]);
        if (other && known === undefined) {
          onGone();
          old.end().catch(() => {});
          return other;
        }
        other?.end().catch(() => {});
      }
      if (known === false) return undefined;
    }
    return undefined;
  }

  async function run(): Promise<void> {
    while (!ended) {
      client ??= await newConnection();
      if (!client) await pause(everyMs);
      else client = await watchOne(client);
    }
  }

  void run();
  return () => {
    ended = true;
    client?.end().catch(() => {});
  };
}

/** True: it has answered; false: the connection has ended; undefined: neither yet. */
type Answer = boolean | undefined;

const answerOf = (client: Client): Promise<Answer> =>
  client.query('select 1').then(
    () => true,
    () => false,
  );

const answered = (client: Client, ms: number): Promise<Answer> =>
  Promise.race([answerOf(client), pause(ms).then(() => undefined)]);

const pause = (ms: number): Promise<void> => wait(ms, undefined, { ref: false });
