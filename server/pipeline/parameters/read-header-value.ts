import { headerSource } from './path-source.ts';
import { readScalar } from './read-scalar.ts';
import { readValue } from './read-value.ts';
import { createReading } from './reading.ts';
import type { Shape } from './shape.ts';

/**
 * Reads the text of a response header, which a handler may return instead of a value.
 * @returns the text itself if it is no value of the shape
 */
export function readHeaderValue(
  shape: Shape | undefined,
  text: string,
  accepts: (check: string, value: unknown) => boolean,
): unknown {
  if (shape === undefined) return text;
  const reading = createReading(accepts);
  const value =
    shape.kind === 'scalar'
      ? readScalar(text, shape, reading)
      : readValue(shape, headerSource(false, text), reading);
  return reading.problem === undefined && value !== undefined ? value : text;
}
