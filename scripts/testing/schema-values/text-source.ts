import { isObject } from '../../../server/lib/json-object.ts';
import type { Source } from '../../../server/validation/parameters/source.ts';

/**
 * Returns the texts of a value that is sent as a parameter of any style: one for each item of an array or property of
 * an object. A scalar has the same text as a list of one item.
 */
export function textSource(value: unknown): Source {
  const items = Array.isArray(value) ? value.map(textOf) : isObject(value) ? undefined : [textOf(value)];
  return {
    text: () => (items?.length === 1 ? items[0] : undefined),
    items: () => items,
    entries: () =>
      isObject(value)
        ? new Map(Object.entries(value).map(([name, each]) => [name, [each].flat().map(textOf)]))
        : undefined,
    decode: (text) => text,
    repeatsProperties: true,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
