/** A line of a file: its text, or why it cannot be read. */
export type ImportLine =
  | { number: number; text: string; wrong?: undefined }
  | { number: number; text?: undefined; wrong: string };

/** Maximum length of a line in bytes, which is also the maximum size of a request body (D04). */
const maxLineBytes = 1_048_576;

const newline = 0x0a;

/**
 * Splits bytes into lines, numbered from 1. Only one chunk and one unfinished line are in memory at a time. Blank lines
 * are skipped but counted.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ImportLine[]> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.length;
    // Only the length of an overlong line is kept.
    if (length <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const end = (): ImportLine[] => {
    number += 1;
    const line = lineFrom(number, parts, length);
    parts = [];
    length = 0;
    return line ? [line] : [];
  };

  for await (const chunk of chunks) {
    const found: ImportLine[] = [];
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, at));
      found.push(...end());
      start = at + 1;
    }
    take(chunk.subarray(start));
    yield found;
  }
  if (length > 0) yield end();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function lineFrom(number: number, parts: Uint8Array[], length: number): ImportLine | undefined {
  if (length > maxLineBytes) return { number, wrong: `is longer than ${maxLineBytes} bytes` };
  const [first = new Uint8Array()] = parts;
  try {
    const text = utf8.decode(parts.length > 1 ? Buffer.concat(parts) : first).trim();
    return text === '' ? undefined : { number, text };
  } catch {
    return { number, wrong: 'is not UTF-8' };
  }
}
