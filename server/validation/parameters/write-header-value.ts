import type { HeaderPlan } from '../../contract/compiled-contract.ts';
import { isObject } from '../../lib/json-object.ts';

/** Writes the value of a response header (OpenAPI 3.1.1, section 4.8.12.3). A string is the text itself. */
export function writeHeaderValue(value: unknown, style?: HeaderPlan['style']): string {
  if (style === 'json' && typeof value !== 'string') return JSON.stringify(value);
  if (!isObject(value)) return String(value);
  const separator = style === 'exploded' ? '=' : ',';
  return Object.entries(value)
    .map((each) => each.join(separator))
    .join(',');
}
