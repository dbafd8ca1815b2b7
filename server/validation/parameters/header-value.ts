import type { HeaderPlan } from '../../contract/compiled-contract.ts';
import { isObject } from '../../lib/json-object.ts';
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

/** Writes the value of a response header (OpenAPI 3.1.1, section 4.8.12.3). A string is the text itself. */
export function writeHeaderValue(value: unknown, style?: HeaderPlan['style']): string {
  if (style === 'json' && typeof value !== 'string') return JSON.stringify(value);
  if (!isObject(value)) return String(value);
  const separator = style === 'exploded' ? '=' : ',';
  return Object.entries(value)
    .map((each) => each.join(separator))
    .join(',');
}
