import type { Writable } from 'node:stream';

/** Shows the progress of a long task: it updates one line on a terminal, and prints a new line every 5 s elsewhere. */
export interface Progress {
  show(text: string): void;
  /** Prints a permanent line. */
  say(text: string): void;
  end(): void;
}

const onTerminalMs = 200;
const elsewhereMs = 5_000;
// Work that finishes within this time shows no progress.
const firstMs = 1_000;

const clearLine = '\r\u001b[K';

/** @param quiet whether to print only permanent lines, for output that programs read */
export function createProgress(stream: Writable & { isTTY?: boolean }, quiet: boolean): Progress {
  let next = performance.now() + firstMs;
  let shown = false;
  const clear = () => {
    if (shown) stream.write(clearLine);
    shown = false;
  };
  return {
    show(text) {
      if (quiet || performance.now() < next) return;
      next = performance.now() + (stream.isTTY ? onTerminalMs : elsewhereMs);
      stream.write(stream.isTTY ? `${clearLine}${text}` : `${text}\n`);
      shown = stream.isTTY ?? false;
    },
    say(text) {
      clear();
      stream.write(`${text}\n`);
    },
    end: clear,
  };
}
