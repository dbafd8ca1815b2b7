import { isObject } from '../../../server/lib/json-object.ts';
import { mapSubschemas } from '../../testing/schema-values/keywords.ts';
import type { JsonSchema, SchemaObject } from '../../testing/schema-values/schema.ts';
import type { Contract } from '../model/contract.ts';
import { resolveSide, type SchemaSide, typesOf, withOtherSchemas } from './schema-side.ts';
import { isSubset } from './schema-subset.ts';

/** Keywords of a schema that allows every value of its type. */
const plainWords = ['type', 'default', 'deprecated', 'x-deprecated-since', 'x-sunset'];

const isPlain = (schema: SchemaObject): boolean =>
  Object.keys(schema).every((word) => plainWords.includes(word));

/** Returns a contract whose strings also allow the scalar values that are sent as their text. */
export const withScalarTexts = (contract: Contract): Contract => withOtherSchemas(contract, scalarTexts);

function scalarTexts(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return schema;
  const inside = mapSubschemas(schema, scalarTexts);
  const types = typesOf(inside);
  if (types.includes('array')) return asOneItem(inside);
  if (!types.includes('string')) return inside;
  const { type: _, ...values } = inside;
  if (values.enum) return { ...values, enum: [...values.enum, ...values.enum.flatMap(scalarsOf)] };
  if (!isPlain(values)) return inside;
  return { ...values, type: [...new Set([...types, 'boolean', 'integer', 'number'])] };
}

/** Adds a list of one text. A text with a delimiter becomes several items, so texts must be allowed without limits. */
function asOneItem({ items = true, ...list }: SchemaObject): SchemaObject {
  const types = isObject(items) ? typesOf(items) : ['string'];
  const isFree = !isObject(items) || !types.includes('string') || isPlain(items);
  return types.length > 0 && isFree && isPlain(list)
    ? { anyOf: [{ ...list, items }, items] }
    : { ...list, items };
}

/** Returns the number or boolean whose text a value is. */
function scalarsOf(text: unknown): unknown[] {
  const value = text === 'true' ? true : text === 'false' ? false : Number(text);
  return String(value) === text ? [value] : [];
}

/** Leaves out null and empty lists, which have no text. */
function sentOf(schema: JsonSchema): JsonSchema {
  if (!isObject(schema) || schema.type === undefined) return schema;
  const types = typesOf(schema).filter((type) => type !== 'null');
  const values = schema.enum ? { enum: schema.enum.filter((value) => value !== null) } : {};
  const items = types.includes('array') ? { minItems: Math.max(1, schema.minItems ?? 0) } : {};
  return types.length === 0 ? false : { ...schema, type: types, ...values, ...items };
}

/**
 * Whether every value of a schema is proven to be valid in another one after it was sent as the text of a parameter.
 * @param other a schema of a contract with scalar texts
 */
export const isSubsetAsText = (one: SchemaSide, other: SchemaSide): boolean =>
  isSubset({ ...one, schema: sentOf(resolveSide(one)) }, other);
