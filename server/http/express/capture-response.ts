import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

type WriteArguments = [chunk?: unknown, encoding?: unknown, callback?: unknown];

const state = Symbol('captured response');

/** A response that is withheld. */
type CapturedResponse = ServerResponse & { [state]: Capture };

interface Capture {
  original: Pick<ServerResponse, (typeof withheld)[number]>;
  chunks: Buffer[];
  /** Size of the chunks, in bytes. */
  size: number;
  /** Whether chunks are discarded, because the response is too large to be kept and will not be sent. */
  isDiscarding: boolean;
  /** The text of the buffer that ends the response, while Express sends it. */
  text?: string | undefined;
  trailers: Parameters<ServerResponse['addTrailers']>[0][];
  /** Whether everything is sent now. Functions that other middleware has put around ours still call ours. */
  isReleased: boolean;
  /** One entry for each middleware that validates the response, the last one first. */
  options: CaptureOptions[];
}

export interface CaptureOptions {
  /** Maximum size of a body that is withheld, in bytes. */
  limit: number;
  /** Returns whether the response must reach the client before it ends. */
  isStream: () => boolean;
  /** Returns whether to send a stream, or the beginning of a body above the limit, now. */
  onStream: () => boolean;
  /**
   * Called at the end of a body above the limit; returns whether to send it.
   * @param isDiscarded whether the body is lost, because `onStream` did not let its beginning be sent
   */
  onTooLarge: (isDiscarded: boolean) => boolean;
  /** Called with the whole body, before anything is sent; returns whether to send it. */
  onEnd: (body: string | Buffer) => boolean;
}

/** The methods that send a part of a response. */
const withheld = ['write', 'end', 'writeHead', 'flushHeaders', 'addTrailers'] as const;

/**
 * Withholds what a route sends, the status and the headers included, until it has ended the response. So the response
 * can still be replaced. Code that calls the methods of `http.ServerResponse.prototype` instead bypasses this.
 */
export function captureResponse(res: ServerResponse, options: CaptureOptions): void {
  const known = captureOf(res);
  if (known?.isReleased === false) {
    known.options.unshift(options);
    return;
  }
  const { write, end, writeHead, flushHeaders, addTrailers } = known?.original ?? res;
  const capture: Capture = {
    original: { write, end, writeHead, flushHeaders, addTrailers },
    chunks: [],
    size: 0,
    isDiscarding: false,
    trailers: [],
    isReleased: false,
    options: [options],
  };
  withhold(res, capture);
}

function withhold(res: ServerResponse, capture: Capture): void {
  // One function for all responses: a closure for each response took 6 % of the time for garbage collection.
  Object.assign(res, {
    [state]: capture,
    write: captureChunk,
    end: captureEnd,
    writeHead: captureHead,
    flushHeaders: captureFlush,
    addTrailers: captureTrailers,
  });
}

function captureChunk(this: CapturedResponse, ...given: WriteArguments): boolean {
  const capture = this[state];
  if (capture.isReleased) return Reflect.apply(capture.original.write, this, given);
  // Copied, because the writer may use its buffer again.
  keep(capture, given[0] instanceof Uint8Array ? Buffer.from(given[0]) : bytesOf(given));
  const isTooLarge = capture.options.some(({ limit }) => capture.size > limit);
  if ((isTooLarge || isStream(capture)) && !capture.isDiscarding) {
    if (capture.options.every(({ onStream }) => onStream())) {
      release(this);
      return capture.original.write.call(this, Buffer.concat(capture.chunks), 'utf8', callbackOf(given));
    }
    capture.isDiscarding = true;
  }
  if (capture.isDiscarding) capture.chunks = [];
  callbackOf(given)?.();
  return true;
}

function captureEnd(this: CapturedResponse, ...given: WriteArguments): ServerResponse {
  const capture = this[state];
  if (capture.isReleased) return Reflect.apply(capture.original.end, this, given);
  const [chunk, encoding] = given;
  const text = Buffer.isBuffer(chunk) ? capture.text : isUtf8(encoding) ? chunk : undefined;
  const isWhole = capture.chunks.length === 0 && typeof text === 'string';
  if (!isWhole) keep(capture, bytesOf(given));
  const [first] = capture.chunks;
  const body = isWhole ? text : first && capture.chunks.length === 1 ? first : Buffer.concat(capture.chunks);
  const size = !isWhole ? capture.size : Buffer.isBuffer(chunk) ? chunk.length : Buffer.byteLength(text);
  const { isDiscarding, options, original } = capture;
  const isAccepted = options.every(({ limit, onTooLarge, onEnd }) =>
    isDiscarding || size > limit ? onTooLarge(isDiscarding) : onEnd(body),
  );
  if (!isAccepted) return this;
  release(this);
  const sent = Buffer.isBuffer(chunk) && isWhole && body.length > maxJoined ? chunk : body;
  return original.end.call(this, sent, 'utf8', callbackOf(given));
}

/** Node sends a string together with the headers. Up to this length, that is faster than a buffer after them. */
const maxJoined = 4_096;

/**
 * Calls `res.send` of Express, which converts long texts to buffers. If no other middleware has wrapped `res.end`, the
 * buffer contains `text`, and need not be converted back.
 */
export function endWithText<Result>(res: ServerResponse, text: string, send: () => Result): Result {
  const capture = captureOf(res);
  if (!capture || res.end !== captureEnd) return send();
  capture.text = text;
  try {
    return send();
  } finally {
    capture.text = undefined;
  }
}

/** Returns the headers that are set, for `discardResponse`. Lists are copied, because `res.appendHeader` changes them. */
export function headersOf(res: ServerResponse): OutgoingHttpHeaders {
  const headers = res.getHeaders();
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (Array.isArray(value)) headers[name] = [...value];
  }
  return headers;
}

/**
 * Discards a response that is withheld, and restores its headers. The next one is withheld as well.
 * @param headers those from before the route, such as the ones that CORS needs
 */
export function discardResponse(res: ServerResponse, headers: OutgoingHttpHeaders): void {
  const capture = captureOf(res);
  if (!capture) return;
  for (const name of res.getHeaderNames()) if (headers[name] === undefined) res.removeHeader(name);
  for (const [name, value = ''] of Object.entries(headers))
    if (res.getHeader(name) !== value) res.setHeader(name, value);
  Reflect.deleteProperty(res, 'statusMessage');
  // Again on top of the functions of other middleware, some of which let a response end only once.
  withhold(res, { ...capture, chunks: [], size: 0, isDiscarding: false, text: undefined, trailers: [] });
}

/** Sends a response instead of the one that was discarded. The route can send no other one. */
export function sendInstead(res: ServerResponse, body: string): void {
  const capture = captureOf(res);
  if (capture) capture.isReleased = true;
  (capture?.original ?? res).end.call(res, body, 'utf8');
}

const captureOf = (res: ServerResponse): Capture | undefined => Reflect.get(res, state);

/** Sets the status and the headers instead of sending them. */
function captureHead(this: CapturedResponse, status: number, ...given: unknown[]): ServerResponse {
  const { isReleased, original } = this[state];
  if (isReleased) return Reflect.apply(original.writeHead, this, [status, ...given]);
  const [reason] = given;
  if (typeof reason === 'string') this.statusMessage = reason;
  this.statusCode = status;
  const headers = given.find((each) => typeof each === 'object' && each !== null);
  const fields: [name: string, value: unknown][] = Array.isArray(headers)
    ? headers.flatMap((name, index) => (index % 2 === 0 ? [[String(name), headers[index + 1]]] : []))
    : Object.entries(headers ?? {});
  for (const [name] of fields) this.removeHeader(name);
  for (const [name, value] of fields)
    if (Array.isArray(value)) this.appendHeader(name, value.map(String));
    else if (value !== undefined) this.appendHeader(name, String(value));
  return this;
}

function captureFlush(this: CapturedResponse): void {
  const capture = this[state];
  const { original, options, isReleased, chunks } = capture;
  if (!isReleased) {
    if (!isStream(capture) || !options.every(({ onStream }) => onStream())) return;
    release(this);
  }
  original.flushHeaders.call(this);
  if (!isReleased && chunks.length > 0) original.write.call(this, Buffer.concat(chunks), 'utf8');
}

function captureTrailers(this: CapturedResponse, trailers: Capture['trailers'][number]): void {
  const { isReleased, original } = this[state];
  if (isReleased) original.addTrailers.call(this, trailers);
  else this[state].trailers.push(trailers);
}

const isStream = ({ options }: Capture): boolean => options.some((each) => each.isStream());

/** Lets everything pass from now on. The functions stay, because other middleware may have put its own around them. */
function release(res: CapturedResponse): void {
  const capture = res[state];
  capture.isReleased = true;
  for (const each of capture.trailers) capture.original.addTrailers.call(res, each);
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
