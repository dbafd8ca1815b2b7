import { isObject, listOf } from '../../../server/lib/json-object.ts';

/** The subset of JSON Schema 2020-12 that is used here. The types assume that the schema itself is valid. */
export interface SchemaObject {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  contains?: JsonSchema;
  minContains?: number;
  maxContains?: number;
  unevaluatedItems?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  unevaluatedProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: Record<string, JsonSchema>;
  minProperties?: number;
  maxProperties?: number;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  [word: string]: unknown;
}

export type JsonSchema = boolean | SchemaObject;

/** Whether a value can be a schema. */
export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'boolean' || isObject(value);

/** Returns the schemas in a list. For any other value, the result is empty. */
export const schemasIn = (value: unknown): JsonSchema[] => listOf(value).filter(isSchema);

/** The JSON types, with `integer` as in JSON Schema. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Returns the narrowest JSON type of a value. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}

/** Serializes a value so that equal values give equal strings. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** Returns values without repetition, in the order of their canonical JSON. */
export const distinct = <T>(values: readonly T[]): T[] =>
  [...new Map(values.map((value) => [canonicalJson(value), value]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
