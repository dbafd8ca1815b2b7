import { connect, type Socket } from 'node:net';

/*
 * An open-loop load generator in its own process, on a different core than the service. It uses bare sockets, because
 * an HTTP client could not send requests as fast as the service refuses them.
 */

/** A group of clients that send the same requests. */
export interface Stream {
  /** Raw requests as Latin-1, sent in turn. */
  requests: string[];
  perSecond: number;
  /** Start and end, in seconds since the start of the load. */
  from: number;
  to: number;
  /**
   * Number of connections, each with one request at a time. If all are busy, requests wait, and the wait counts as
   * response time.
   */
  connections: number;
}

export interface OpenLoopOptions {
  port: number;
  streams: Stream[];
}

/** The outcomes of a stream's requests, in the order in which they ended. The status is 0 without a response. */
export interface StreamOutcomes {
  /** When each request was due, in seconds since the start. */
  due: number[];
  /** Milliseconds from the due time of each request to the end of its response. */
  took: number[];
  status: number[];
  /** Number of requests that still waited for a connection or a response 5 s after the last stream ended. */
  unanswered: number;
}

const timeoutMs = 5_000;

interface Connection {
  /**
   * @param answered called with the status, 0 if there was no response
   * @param free called when the connection can be used again
   */
  ask(request: string, answered: (status: number) => void, free: () => void): void;
  end(): void;
}

/** Opens a connection and reopens it whenever the service closes it. */
function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let socket: Socket;
    let text = '';
    let answered: ((status: number) => void) | undefined;
    let free = () => {};
    let isOver = false;
    let isClosing = false;

    const take = (data: Buffer) => {
      text += data.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const headers = text.slice(0, head).toLowerCase();
      const length = Number(/content-length: (\d+)/.exec(headers)?.[1] ?? 0);
      if (text.length < head + 4 + length) return;
      const status = Number(text.slice(9, 12));
      text = text.slice(head + 4 + length);
      isClosing = headers.includes('connection: close');
      const tell = answered;
      answered = undefined;
      tell?.(status);
      if (!isClosing) free();
    };
    const connected = (first: () => void) => {
      socket = connect(port, '127.0.0.1', first);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('data', take);
      socket.on('close', () => {
        if (isOver) return;
        text = '';
        const tell = answered;
        const isFree = tell !== undefined || isClosing;
        answered = undefined;
        isClosing = false;
        tell?.(0);
        connected(isFree ? free : () => {});
      });
    };
    const connection: Connection = {
      ask(request, onAnswer, onFree) {
        answered = onAnswer;
        free = onFree;
        socket.write(request, 'latin1');
      },
      end() {
        isOver = true;
        socket.destroy();
      },
    };
    connected(() => resolve(connection));
    setTimeout(() => reject(new Error('The service cannot be reached.')), timeoutMs).unref();
  });
}

async function ask({ port, streams }: OpenLoopOptions): Promise<StreamOutcomes[]> {
  const all = await Promise.all(streams.map((stream) => prepare(port, stream)));
  const beganAt = performance.now();
  const lastMs = 1_000 * Math.max(...streams.map(({ to }) => to));
  await new Promise<void>((resolve) => {
    const tick = () => {
      const at = performance.now() - beganAt;
      for (const stream of all) stream.sendWhatIsDue(at, beganAt);
      const isOver = at > lastMs && all.every((stream) => stream.isDone());
      if (isOver || at > lastMs + timeoutMs) resolve();
      else setTimeout(tick, 1);
    };
    tick();
  });
  return all.map((stream) => stream.end());
}

async function prepare(port: number, { requests, perSecond, from, to, connections }: Stream) {
  const opened: Connection[] = [];
  for (let count = 0; count < connections; count += 1) opened.push(await open(port));
  const free = [...opened];
  const count = Math.floor((to - from) * perSecond);
  const dueAt = (turn: number) => 1_000 * from + (turn * 1_000) / perSecond;
  // Allocated at full length, so that growing the list does not disturb the measurement.
  const [dueAtS, took, statuses] = [new Float64Array(count), new Float64Array(count), new Uint16Array(count)];
  let sent = 0;
  let done = 0;
  return {
    sendWhatIsDue(at: number, beganAt: number) {
      while (sent < count && dueAt(sent) <= at) {
        const connection = free.pop();
        if (!connection) return;
        const due = dueAt(sent);
        const request = requests[sent % requests.length] ?? '';
        sent += 1;
        connection.ask(
          request,
          (status) => {
            dueAtS[done] = due / 1_000;
            took[done] = performance.now() - beganAt - due;
            statuses[done] = status;
            done += 1;
          },
          () => free.push(connection),
        );
      }
    },
    isDone: () => done === count,
    end(): StreamOutcomes {
      for (const connection of opened) connection.end();
      const told = (all: Float64Array | Uint16Array) => Array.from(all.subarray(0, done));
      return { due: told(dueAtS), took: told(took), status: told(statuses), unanswered: count - done };
    },
  };
}

if (process.send) {
  process.on('message', (asked: OpenLoopOptions) =>
    ask(asked).then(
      (outcomes) => process.send?.({ outcomes }),
      (error: unknown) => process.send?.({ error: String(error) }),
    ),
  );
  process.on('disconnect', () => process.exit());
  process.send('ready');
}
