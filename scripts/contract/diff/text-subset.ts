import { isObject } from '../../../server/lib/json-object.ts';
import { mapSubschemas } from '../../testing/schema-values/keywords.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import { type Contract, createContract } from '../model/contract.ts';
import { withSchemas } from '../model/reader-view.ts';
import { resolveSide, type SchemaSide } from './schema-side.ts';
import { isSubset, typesOf } from './schema-subset.ts';

/** Keywords of a schema that allows every value of its type. */
const plainWords = ['type', 'default', 'deprecated', 'x-deprecated-since', 'x-sunset'];

/** Returns a contract whose strings also allow the scalar values that are sent as their text. */
export const withScalarTexts = ({ document }: Contract): Contract =>
  createContract({ ...document, ...withSchemas({ ...document }, scalarTexts, scalarTexts) });

function scalarTexts(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return schema;
  const inside = mapSubschemas(schema, scalarTexts);
  const types = typesOf(inside.type);
  if (!types.includes('string')) return inside;
  const { type: _, ...values } = inside;
  if (values.enum) return { ...values, enum: [...values.enum, ...values.enum.flatMap(scalarsOf)] };
  if (!Object.keys(values).every((word) => plainWords.includes(word))) return inside;
  return { ...values, type: [...new Set([...types.map(String), 'boolean', 'integer', 'number'])] };
}

/** Returns the number or boolean whose text a value is. */
function scalarsOf(text: unknown): unknown[] {
  const value = text === 'true' ? true : text === 'false' ? false : Number(text);
  return String(value) === text ? [value] : [];
}

/**
 * Whether every value of a schema is proven to be valid in another one after it was sent as the text of a parameter.
 * @param other a schema of a contract with scalar texts
 */
export function isSubsetAsText(one: SchemaSide, other: SchemaSide): boolean {
  if (isSubset(one, other)) return true;
  // A list of one text. A text with a delimiter can become several items.
  const [a, b] = [resolveSide(one), resolveSide(other)];
  if (!isObject(a) || !isObject(b) || b.type !== 'array') return false;
  const items = { ...other, schema: b.items ?? true };
  const [target, types] = [resolveSide(items), typesOf(a.type)];
  const hasPlainItems =
    target === true || (isObject(target) && target.enum === undefined && Array.isArray(target.type));
  const isScalar =
    types.length > 0 && !types.some((type) => ['object', 'array', 'null'].includes(String(type)));
  const isPlain = Object.keys(b).every((word) => plainWords.includes(word) || word === 'items');
  return isPlain && isScalar && (hasPlainItems || !types.includes('string')) && isSubset(one, items);
}
