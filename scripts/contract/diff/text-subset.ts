import { isObject } from '../../../server/lib/json-object.ts';
import type { SchemaObject } from '../../testing/schema-values/schema.ts';
import { resolveSide, type SchemaSide } from './schema-side.ts';
import { isSubset, typesOf } from './schema-subset.ts';

/** Keywords of a schema that allows every value of its type. */
const plainWords = ['type', 'default', 'deprecated', 'x-deprecated-since', 'x-sunset'];

/**
 * Whether every scalar value of a schema is proven to be valid in another one after it was sent as the text of a
 * parameter: each text is a string, and a list of one text.
 */
export function isSubsetAsText(one: SchemaSide, other: SchemaSide): boolean {
  const [a, b] = [resolveSide(one), resolveSide(other)];
  if (!isObject(a) || !isObject(b) || a.type === undefined) return false;
  const types = typesOf(a.type);
  if (!types.every((type) => ['string', 'integer', 'number', 'boolean'].includes(String(type)))) return false;
  const isPlain = (schema: SchemaObject, more: readonly string[] = []) =>
    Object.keys(schema).every((word) => plainWords.includes(word) || more.includes(word));
  if (b.type === 'string') return isPlain(b);
  if (b.type !== 'array' || !isPlain(b, ['items'])) return false;
  const items = { ...other, schema: b.items ?? true };
  // A text with a delimiter can become several items.
  const target = resolveSide(items);
  return types.includes('string')
    ? target === true || (isObject(target) && target.type === 'string' && isPlain(target))
    : isSubset(one, items);
}
