import type { Delivery } from './scenario.ts';

const pauseMs = 500;

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
  const half = Math.ceil(bytes.length / 2);
  const chunks =
    delivery === 'bytes'
      ? Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))
      : [bytes.subarray(0, half), bytes.subarray(half)];
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
      if (sent > 0 && delivery === 'slow') await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (chunk === undefined) return controller.close();
      sent += 1;
      controller.enqueue(chunk);
    },
  });
}
