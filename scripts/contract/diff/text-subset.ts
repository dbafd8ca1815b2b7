import { isObject } from '../../../server/lib/json-object.ts';
import type { JsonSchema, SchemaObject } from '../../testing/schema-values/schema.ts';
import { mapSubschemas } from '../../testing/schema-values/subschemas.ts';
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
  const { type: _, ...values } = inside;
  if (types.join() === 'boolean')
    return { ...values, enum: (values.enum ?? [true, false]).flatMap(withText) };
  if (values.enum) return { ...values, enum: values.enum.flatMap(withText) };
  if (!types.includes('string')) return inside;
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

/** Returns a value with its text, or with the number or boolean whose text it is. */
function withText(given: unknown): unknown[] {
  if (typeof given === 'number' || typeof given === 'boolean') return [given, String(given)];
  const value = given === 'true' ? true : given === 'false' ? false : Number(given);
  return String(value) === given ? [given, value] : [given];
}

/** Leaves out null and empty lists, which have no text. */
function sentOf(schema: JsonSchema, isNeverEmpty: boolean): JsonSchema {
  if (!isObject(schema) || schema.type === undefined) return schema;
  const types = typesOf(schema).filter((type) => type !== 'null');
  const values = schema.enum ? { enum: schema.enum.filter((value) => value !== null) } : {};
  const items = types.includes('array') ? { minItems: Math.max(1, schema.minItems ?? 0) } : {};
  const isText = isNeverEmpty && types.includes('string');
  const text = isText ? { minLength: Math.max(1, schema.minLength ?? 0) } : {};
  return types.length === 0 ? false : { ...schema, type: types, ...values, ...items, ...text };
}

/**
 * Whether every value of a schema is proven to be valid in another one after it was sent as the text of a parameter.
 * @param other a schema of a contract with scalar texts
 * @param isNeverEmpty whether the text has a character, as the segment of a path that a parameter matches
 */
export const isSubsetAsText = (one: SchemaSide, other: SchemaSide, isNeverEmpty: boolean): boolean =>
  isSubset({ ...one, schema: sentOf(resolveSide(one), isNeverEmpty) }, other);

/** Returns a form whose texts, and lists of texts, also allow the scalar values that are sent as their text. */
export function withTextsOfForm({ context, schema }: SchemaSide): SchemaSide {
  const isScalar = (part: JsonSchema): boolean =>
    isObject(part) && !/object|array/.test(String(part.type ?? 'object'));
  const readOf = (part: JsonSchema): JsonSchema => {
    const own = resolveSide({ context, schema: part });
    const items =
      isObject(own) && own.type === 'array' ? resolveSide({ context, schema: own.items ?? true }) : own;
    return isObject(own) && isScalar(items)
      ? scalarTexts({ ...own, ...(items === own ? {} : { items }) })
      : part;
  };
  const form = resolveSide({ context, schema });
  if (!isObject(form) || form.properties === undefined) return { context, schema };
  const parts = Object.entries(form.properties).map(([name, part]) => [name, readOf(part)]);
  return { context, schema: { ...form, properties: Object.fromEntries(parts) } };
}
