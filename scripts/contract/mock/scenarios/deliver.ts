import type { Delivery } from './scenario.ts';

/** The pauses between two chunks. Without one, a client may get several of them at once. */
const pausesMs = { chunks: 2, slow: 500 };

const maxChunks = 32;

/** Splits a body into chunks. Some of them end inside of a character, if it has characters of several bytes. */
function chunksOf(bytes: Uint8Array, delivery: Delivery): Uint8Array[] {
  const length = Math.ceil(bytes.length / (delivery === 'chunks' ? maxChunks : 2));
  const isInside = (index: number) => ((bytes[index] ?? 0) & 0xc0) === 0x80;
  const inside = delivery === 'chunks' ? Array.from(bytes, (_, index) => index).filter(isInside) : [];
  const ends = [
    ...Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => (index + 1) * length),
    ...inside.slice(0, maxChunks),
  ].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

/**
 * Returns a body that arrives in a certain way.
 * @param signal ends a body that would not end by itself
 */
export function deliver(
  payload: string | Uint8Array,
  delivery: Delivery,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
  const chunks = chunksOf(bytes, delivery);
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    async pull(controller) {
      const chunk = chunks[sent];
      if (sent > 0 && delivery === 'cut')
        return controller.error(new TypeError('The connection ended in the middle of the body.'));
      if (sent > 0 && delivery === 'endless') return new Promise<void>(() => {});
      if (chunk === undefined) return controller.close();
      if (sent > 0 && (delivery === 'slow' || delivery === 'chunks'))
        await new Promise((resolve) => setTimeout(resolve, pausesMs[delivery]));
      sent += 1;
      controller.enqueue(chunk);
    },
  });
}
