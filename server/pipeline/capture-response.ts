import type { ServerResponse } from 'node:http';

type WriteArguments = [chunk?: unknown, encoding?: unknown, callback?: unknown];

const state = Symbol('captured response');

/** A response whose body is withheld. */
type CapturedResponse = ServerResponse & { [state]: Capture };

interface Capture {
  write: ServerResponse['write'];
  end: ServerResponse['end'];
  chunks: Buffer[];
  /** Size of the chunks, in bytes. */
  size: number;
  limit: number;
  onEnd: (body: string | Buffer) => boolean;
}

/**
 * Withholds what a route writes, until it has ended the response.
 * @param limit larger bodies are sent as they come, without a call of `onEnd` (bytes)
 * @param onEnd called with the whole body, before anything is sent; returns whether to send it
 */
export function captureResponse(res: ServerResponse, limit: number, onEnd: Capture['onEnd']): void {
  const { write, end } = res;
  const capture: Capture = { write, end, chunks: [], size: 0, limit, onEnd };
  // One function for all responses: a closure for each response took 6 % of the time for garbage collection.
  Object.assign(res, { [state]: capture, write: captureChunk, end: captureEnd });
}

function captureChunk(this: CapturedResponse, ...given: WriteArguments): boolean {
  const capture = this[state];
  // Copied, because the writer may use its buffer again.
  keep(capture, given[0] instanceof Uint8Array ? Buffer.from(given[0]) : bytesOf(given));
  if (capture.size > capture.limit) {
    release(this);
    return capture.write.call(this, Buffer.concat(capture.chunks), 'utf8', callbackOf(given));
  }
  callbackOf(given)?.();
  return true;
}

function captureEnd(this: CapturedResponse, ...given: WriteArguments): ServerResponse {
  const capture = this[state];
  release(this);
  const [chunk, encoding] = given;
  // Node sends a string together with the headers, which is faster than a buffer after them.
  const isWhole = capture.chunks.length === 0 && typeof chunk === 'string' && isUtf8(encoding);
  if (!isWhole) keep(capture, bytesOf(given));
  const [first] = capture.chunks;
  const body = isWhole ? chunk : first && capture.chunks.length === 1 ? first : Buffer.concat(capture.chunks);
  const size = isWhole ? Buffer.byteLength(chunk) : capture.size;
  if (size > capture.limit || capture.onEnd(body))
    return capture.end.call(this, body, 'utf8', callbackOf(given));
  return this;
}

function release(res: CapturedResponse): void {
  Object.assign(res, { write: res[state].write, end: res[state].end });
}

function keep(capture: Capture, bytes: Buffer | undefined): void {
  if (bytes === undefined) return;
  capture.chunks.push(bytes);
  capture.size += bytes.length;
}

function bytesOf([chunk, encoding]: WriteArguments): Buffer | undefined {
  if (chunk === undefined || chunk === null || typeof chunk === 'function') return undefined;
  if (typeof chunk !== 'string') return chunk as Buffer;
  return Buffer.from(chunk, Buffer.isEncoding(String(encoding)) ? (encoding as BufferEncoding) : 'utf8');
}

const isUtf8 = (encoding: unknown): boolean =>
  typeof encoding !== 'string' || /^utf-?8$/i.test(encoding) || !Buffer.isEncoding(encoding);

const callbackOf = (given: WriteArguments) => given.find((each) => typeof each === 'function') as () => void;
