import type { ServerResponse } from 'node:http';

type WriteArguments = [chunk?: unknown, encoding?: unknown, callback?: unknown];

/**
 * Buffers the response that a route writes until the route ends it.
 * @param limit maximum size of a buffered body, in bytes; larger bodies are sent as they are written, without calling
 * `onEnd`
 * @param onEnd called with the whole body, before anything is sent; returns whether to send it
 */
export function captureResponse(res: ServerResponse, limit: number, onEnd: (body: Buffer) => boolean): void {
  const { write, end } = res;
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: unknown, encoding: unknown) => {
    if (chunk === undefined || chunk === null || typeof chunk === 'function') return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(
            chunk,
            Buffer.isEncoding(String(encoding)) ? (String(encoding) as BufferEncoding) : 'utf8',
          )
        : (chunk as Buffer);
    chunks.push(bytes);
    size += bytes.length;
  };
  const release = () => Object.assign(res, { write, end });
  const called = (given: WriteArguments) => given.find((each) => typeof each === 'function') as () => void;

  res.write = ((...given: WriteArguments) => {
    // Copied, because the writer may reuse its buffer.
    keep(given[0] instanceof Uint8Array ? Buffer.from(given[0]) : given[0], given[1]);
    if (size > limit) {
      release();
      return write.call(res, Buffer.concat(chunks), 'utf8', called(given));
    }
    called(given)?.();
    return true;
  }) as typeof res.write;
  res.end = ((...given: WriteArguments) => {
    keep(given[0], given[1]);
    release();
    const [first] = chunks;
    const body = first && chunks.length === 1 ? first : Buffer.concat(chunks);
    if (size > limit || onEnd(body)) return end.call(res, body, 'utf8', called(given));
    return res;
  }) as typeof res.end;
}
