import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * A connection with more waiting requests than this is not read until some of them have their responses, and one with an
 * incomplete waiting request until that request is processed.
 */
const maxWaiting = 16;

/**
 * Bytes of a connection that are parsed at once. Node would parse up to 64 KiB, even if the connection was paused meanwhile.
 * They can contain 3,600 requests, which take 1.6 KB of memory each. 2 KiB contain at most 113.
 */
const maxParsedBytes = 2_048;

/** Maximum wait for the client to read a response while later requests wait, in milliseconds. */
const drainTimeoutMs = 20_000;

interface QueuedRequest {
  req: IncomingMessage;
  res: ServerResponse;
}

/** The requests of a connection that do not have their complete responses. */
export interface RequestQueue {
  /**
   * Adds a request. It is processed after all earlier ones, because an earlier response may close the connection, and a
   * client that does not read its responses must not get further ones.
   */
  add: (request: QueuedRequest) => void;
  /** Whether later requests on the connection are ignored. */
  isClosed: () => boolean;
  /**
   * Ignores later requests, and calls `respond` when the earlier ones have their responses.
   * @param respond gets the request that has not arrived completely, if there is one. It is not called if the client
   * already has the response to that request
   */
  close: (respond: (incomplete: IncomingMessage | undefined) => void) => void;
}

/** Creates the queue of a connection that has not received anything yet. */
export function createRequestQueue(socket: Duplex, process: RequestListener): RequestQueue {
  const requests: QueuedRequest[] = [];
  let isClosed = false;
  let onEmpty: (() => void) | undefined;
  let late: NodeJS.Timeout | undefined;
  let isPaused = false;

  // The body of a waiting request is read when the request is processed: each of its chunks takes 450 bytes of memory,
  // and 16 bodies with chunks of one byte took 460 MB.
  const isFull = () =>
    requests.length > maxWaiting || (requests.length > 1 && requests.at(-1)?.req.complete === false);
  const pauseIfFull = () => {
    if (!isClosed && !isFull()) return;
    isPaused = true;
    socket.pause();
  };
  // Node resumes a connection after each request that it has parsed.
  socket.on('data', pauseIfFull).on('resume', pauseIfFull);
  limitChunks(socket);

  const startTimeout = () => {
    late ??= setTimeout(() => socket.destroy(), drainTimeoutMs);
  };
  const processFirst = () => {
    clearTimeout(late);
    late = undefined;
    const [first] = requests;
    if (socket.destroyed) requests.length = 0;
    else if (!first) onEmpty?.();
    else {
      if (requests.length > 1) startTimeout();
      first.res.once('close', () => end(first));
      process(first.req, first.res);
    }
  };
  const end = ({ res }: QueuedRequest) => {
    requests.shift();
    // Requests after a response that closes the connection must not be processed.
    if (res.getHeader('Connection') === 'close') {
      isClosed = true;
      requests.length = 0;
    }
    if (isPaused && !isFull()) {
      isPaused = false;
      socket.resume();
    }
    // Waits for the next turn of the event loop, so that other connections are served between waiting requests.
    if (requests.length > 0) setImmediate(processFirst);
    else processFirst();
  };

  return {
    isClosed: () => isClosed,
    add(request) {
      requests.push(request);
      if (requests.length === 1) processFirst();
      else startTimeout();
    },
    close(respond) {
      isClosed = true;
      socket.pause();
      // Requests arrive in order, so only the last one can be incomplete.
      const last = requests.at(-1);
      const incomplete = last && !last.req.complete ? last : undefined;
      if (incomplete && incomplete === requests[0]) {
        if (incomplete.res.headersSent) {
          onEmpty = () => socket.destroy();
          startTimeout();
        } else {
          requests.length = 0;
          respond(incomplete.req);
        }
        return;
      }
      if (incomplete) requests.pop();
      onEmpty = () => respond(incomplete?.req);
      if (requests.length === 0) onEmpty();
      else startTimeout();
    },
  };
}

/** Passes on what a connection receives in small chunks. A paused connection keeps them. */
function limitChunks(socket: Duplex): void {
  const push = socket.push.bind(socket);
  socket.push = (received: unknown, encoding) => {
    if (!(received instanceof Uint8Array)) return push(received, encoding);
    let wantsMore = push(received.subarray(0, maxParsedBytes));
    for (let at = maxParsedBytes; at < received.length; at += maxParsedBytes)
      wantsMore = push(received.subarray(at, at + maxParsedBytes));
    return wantsMore;
  };
}
