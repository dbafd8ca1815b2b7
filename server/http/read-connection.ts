import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Bytes that are parsed at once while requests wait. Node would parse up to 64 KiB, even if the connection was paused
 * meanwhile. They can contain 3,600 requests, which take 1.6 KB of memory each. 2 KiB contain at most 113.
 */
const maxParsedBytes = 2_048;

/** The result of a callback of Node's HTTP parser (llhttp) that makes it stop with the error HPE_PAUSED. */
const pausedByCallback = 21;

/** The part of Node's HTTP parser that is used here. Node does not document it. */
interface Parser {
  onIncoming: (req: IncomingMessage, keepAlive: boolean) => number;
  resume: () => void;
  execute: (bytes: Buffer) => unknown;
}

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/** How a queue of requests is read. */
export interface ReadOptions {
  /** Returns whether the request that has just arrived has to wait, or is ignored. */
  mustWait: () => boolean;
  /** Pauses the connection until a response has been sent. */
  pause: () => void;
  /** Called after each chunk of a stream, and whenever Node has resumed it. */
  afterChunk: () => void;
}

/**
 * Lets Node parse what it reads from a connection, until a request has to wait. From then on, the connection is a stream,
 * which can be paused between two chunks. A stream takes 3 µs more per request, and twice as much for a large body.
 * @returns a function for errors of the parser. It returns whether the error only means that a request has to wait
 */
export function readConnection(
  socket: Duplex,
  { mustWait, pause, afterChunk }: ReadOptions,
): (error: ParserError) => boolean {
  const readAsStream = () => {
    socket.on('data', afterChunk).on('resume', afterChunk);
    limitChunks(socket);
  };
  const parser = parserOf(socket);
  if (!parser) {
    readAsStream();
    return () => false;
  }
  const { onIncoming } = parser;
  let state: 'direct' | 'ending' | 'stream' = 'direct';
  parser.onIncoming = (req, keepAlive) => {
    // Node reports no error of the parser for a request to upgrade, after which the parser stops by itself.
    const stopsItself = Reflect.get(req, 'upgrade') === true;
    const result = onIncoming(req, keepAlive);
    if (result !== 0 || state !== 'direct' || !mustWait()) return result;
    state = stopsItself ? 'stream' : 'ending';
    if (!stopsItself) return pausedByCallback;
    process.nextTick(() => {
      if (socket.destroyed) return;
      readAsStream();
      afterChunk();
      socket.push(Buffer.alloc(0));
    });
    return result;
  };
  return ({ code, bytesParsed, rawPacket }) => {
    if (state !== 'ending' || code !== 'HPE_PAUSED' || !rawPacket) return false;
    state = 'stream';
    pause();
    readAsStream();
    parser.resume();
    const rest = rawPacket.subarray(bytesParsed);
    // The parser stopped before the end of the request, which no further byte may follow.
    if (rest.length === 0) parser.execute(rest);
    // Even if it is empty: the stream starts to read after its first chunk.
    socket.push(rest);
    return true;
  };
}

function parserOf(socket: Duplex): Parser | undefined {
  const parser: unknown = Reflect.get(socket, 'parser');
  return isParser(parser) ? parser : undefined;
}

const isParser = (value: unknown): value is Parser =>
  typeof value === 'object' &&
  value !== null &&
  ['onIncoming', 'resume', 'execute'].every((name) => typeof Reflect.get(value, name) === 'function');

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
