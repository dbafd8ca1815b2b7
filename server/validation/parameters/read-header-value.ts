import type { HeaderPlan } from '../../contract/compiled-contract.ts';
import { headerSource } from './path-source.ts';
import { readScalar } from './read-scalar.ts';
import { readValue } from './read-value.ts';
import { createReading } from './reading.ts';

/**
 * Reads the text of a response header, which a handler may return instead of a value.
 * @returns the text itself if it is no value of the shape
 */
export function readHeaderValue(
  { shape, style }: Pick<HeaderPlan, 'shape' | 'style'>,
  text: string,
  accepts: (check: string, value: unknown) => boolean,
): unknown {
  if (style === 'json') return parsed(text);
  if (shape === undefined) return text;
  const reading = createReading(accepts);
  const value =
    shape.kind === 'scalar'
      ? readScalar(text, shape, reading)
      : readValue(shape, headerSource(style === 'exploded', text), reading);
  return reading.problem === undefined && value !== undefined ? value : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
