import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import { isKeyword } from '../../testing/schema-values/keywords.ts';
import {
  canonicalJson,
  distinct,
  type JsonSchema,
  type SchemaObject,
  schemasIn,
  typeOf,
} from '../../testing/schema-values/schema.ts';
import { mapSubschemas } from '../../testing/schema-values/subschemas.ts';
import { openEnum } from '../model/reader-view.ts';
import { mergeAllOf, type ResolveReference } from './normalize-all-of.ts';
import { allowsAll, inPlace, typesOf } from './schema-side.ts';

/** Keywords that do not affect validation. */
const annotations = [
  'title',
  'description',
  'examples',
  'example',
  '$comment',
  'externalDocs',
  'xml',
  '$schema',
  '$defs',
];

/** Keywords whose value `false` is kept, because it forbids further properties or items. */
const closingKeywords = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems'];

/** Extensions that announce a removal. */
const lifecycleExtensions = ['x-deprecated-since', 'x-sunset'];

export const isAnnotation = (word: string): boolean =>
  annotations.includes(word) ||
  (word.startsWith('x-') && word !== openEnum && !lifecycleExtensions.includes(word));

/** Keyword values that have no effect. */
const noOpKeywords: Readonly<Record<string, unknown>> = {
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  minContains: 1,
  uniqueItems: false,
  required: [],
  properties: {},
  deprecated: false,
  readOnly: false,
  writeOnly: false,
};

/**
 * Normalizes a schema, so that equivalent schemas differ as little as possible: annotations are removed, `const`
 * becomes `enum`, an `anyOf` or `oneOf` with one branch is unwrapped, `allOf` is merged.
 * @param resolve follows a reference into the document
 * @param within the references followed so far
 * @returns a new schema
 */
export function normalizeSchema(
  schema: JsonSchema,
  resolve: ResolveReference,
  within: readonly string[] = [],
): JsonSchema {
  if (typeof schema === 'boolean') return schema ? {} : false;
  const plain = Object.fromEntries(
    Object.entries(withImplicitMapping(schema, resolve)).filter(
      ([word, value]) =>
        !isAnnotation(word) &&
        (isKeyword(word) || word.startsWith('x-')) &&
        !(Object.hasOwn(noOpKeywords, word) && canonicalJson(noOpKeywords[word]) === canonicalJson(value)),
    ),
  );
  const inside = mapSubschemas(plain, (inner, keyword) => {
    const normal = normalizeSchema(inner, resolve, within);
    // A violation of `false` has no location, so `{ not: {} }` replaces it.
    return normal === false && !closingKeywords.includes(keyword) ? { not: {} } : normal;
  });
  const merged = mergeAllOf(withoutChoiceOfValues(inside), (reference) => {
    const target = within.includes(reference) ? undefined : resolve(reference);
    return target === undefined ? undefined : normalizeSchema(target, resolve, [...within, reference]);
  });
  return isObject(merged) ? withPlainValues(withPlainKeywords(merged)) : merged;
}

/** Rewrites keywords that mean the same as others in this schema, or nothing. */
function withPlainKeywords(schema: SchemaObject): SchemaObject {
  const { unevaluatedProperties, unevaluatedItems, dependentSchemas, ...rest } = schema;
  const next: SchemaObject = rest;
  const evaluatesAlone = !inPlace.some((word) => word in schema && word !== 'patternProperties');
  if (unevaluatedProperties !== undefined)
    next[evaluatesAlone ? 'additionalProperties' : 'unevaluatedProperties'] ??= unevaluatedProperties;
  if (unevaluatedItems !== undefined)
    next[evaluatesAlone && !('contains' in schema) ? 'items' : 'unevaluatedItems'] ??= unevaluatedItems;
  if (next.items === false) {
    delete next.items;
    next.maxItems = Math.min(next.maxItems ?? Number.POSITIVE_INFINITY, next.prefixItems?.length ?? 0);
  }
  if (next.minContains === 0 && next.maxContains === undefined && next.unevaluatedItems === undefined)
    delete next.contains;
  if (next.contains === undefined) {
    delete next.minContains;
    delete next.maxContains;
  }
  for (const word of ['then', 'else']) if (next.if === undefined || allowsAll(next[word])) delete next[word];
  const conditional = conditionsOf(next);
  if (conditional.length > 0) delete next.then;
  if (next.then === undefined && next.else === undefined) delete next.if;
  for (const [name, inner] of [...Object.entries(dependentSchemas ?? {}), ...conditional]) {
    const more = onlyRequired(inner);
    if (more && !ownOf(next.dependentRequired, name))
      next.dependentRequired = { ...next.dependentRequired, [name]: more };
    else next.dependentSchemas = { ...next.dependentSchemas, [name]: inner };
  }
  // Formats that are not validated say nothing about values. That of binary content says how it is sent.
  if (next.format !== 'binary' && (ownOf(knownFormats, String(next.format)) ?? true) === true)
    delete next.format;
  return next;
}

/** Returns the names of a schema that only requires properties. */
const onlyRequired = (schema: JsonSchema | undefined): string[] | undefined =>
  isObject(schema) && Object.keys(schema).join() === 'required' ? schema.required : undefined;

/** Returns the property and the schema of a condition that only says: with this property, others are required. */
function conditionsOf({ if: condition, then, else: otherwise }: SchemaObject): [string, JsonSchema][] {
  const [name, ...others] = onlyRequired(condition) ?? [];
  const isSimple = name !== undefined && others.length === 0 && otherwise === undefined;
  return isSimple && then !== undefined && onlyRequired(then) ? [[name, then]] : [];
}

/**
 * Writes out the mapping of a discriminator for the components that it does not name: their names are the values
 * (OpenAPI 3.1, section 4.8.25), unless their own schemas list values.
 */
function withImplicitMapping(schema: SchemaObject, resolve: ResolveReference): SchemaObject {
  const { discriminator, oneOf, anyOf } = schema;
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return schema;
  const { propertyName } = discriminator;
  const mapping = objectOf(discriminator.mapping);
  const implicit = [...schemasIn(oneOf), ...schemasIn(anyOf)].flatMap((branch): [string, string][] => {
    const reference = isObject(branch) ? branch.$ref : undefined;
    const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(reference ?? '') ?? [];
    if (reference === undefined || name === undefined) return [];
    const target = resolve(reference);
    const own = isObject(target) ? ownOf(target.properties, propertyName) : undefined;
    const isListed = isObject(own) && ('enum' in own || 'const' in own);
    const isNamed = Object.values(mapping).some((value) => value === reference || value === name);
    return isListed || isNamed ? [] : [[name, reference]];
  });
  if (implicit.length === 0) return schema;
  return {
    ...schema,
    discriminator: { ...discriminator, mapping: { ...Object.fromEntries(implicit), ...mapping } },
  };
}

const everyType = ['array', 'boolean', 'null', 'number', 'object', 'string'];

function withPlainValues(schema: SchemaObject): JsonSchema {
  const { const: only, ...rest } = schema;
  const next: SchemaObject =
    'const' in schema && rest.enum === undefined ? { ...rest, enum: [only] } : { ...schema };
  // OpenAPI before 3.1 has formats instead of these keywords.
  if (next.contentEncoding === 'base64') {
    delete next.contentEncoding;
    next.format ??= 'byte';
  }
  if (next.format === 'binary') {
    delete next.format;
    next.contentMediaType ??= 'application/octet-stream';
  }
  // Redocly does not compare objects that are data.
  if (isObject(next.default)) next.default = canonicalJson(next.default);
  if (Array.isArray(next.enum)) {
    next.enum = distinct(next.enum.filter((value) => fitsType(next.type, value)));
    if (next.enum.length === 0) return false;
    // The values determine the type.
    next.type = [...new Set(next.enum.map(typeOf))];
  }
  if (Array.isArray(next.required)) next.required = [...new Set(next.required)].sort();
  const isWhole = Number.isInteger(next.multipleOf);
  if (next.type !== undefined)
    next.type = plainType(typesOf(next).map((each) => (each === 'number' && isWhole ? 'integer' : each)));
  if (typesOf(next).includes('integer') && !typesOf(next).includes('number')) roundLimits(next);
  if (everyType.every((type) => typesOf(next).includes(type))) delete next.type;
  return next;
}

/** Replaces the limits of an integer with inclusive integers, and drops a step that divides 1. */
function roundLimits(schema: SchemaObject): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (multipleOf !== undefined && Number.isInteger(1 / multipleOf)) delete schema.multipleOf;
  const least = [minimum, exclusiveMinimum === undefined ? undefined : Math.floor(exclusiveMinimum) + 1];
  const most = [maximum, exclusiveMaximum === undefined ? undefined : Math.ceil(exclusiveMaximum) - 1];
  const [lower, upper] = [least, most].map((limits) => limits.filter((limit) => limit !== undefined));
  if (lower?.length) schema.minimum = Math.ceil(Math.max(...lower));
  if (upper?.length) schema.maximum = Math.floor(Math.min(...upper));
  delete schema.exclusiveMinimum;
  delete schema.exclusiveMaximum;
}

function plainType(types: string[]): string | string[] {
  const left = [...new Set(types)].filter((type) => type !== 'integer' || !types.includes('number')).sort();
  const [first] = left;
  return left.length === 1 && first !== undefined ? first : left;
}

/** Rewrites `anyOf` and `oneOf`: lists of fixed values become one `enum`, and "S or null" becomes a nullable S. */
function withoutChoiceOfValues(schema: SchemaObject): SchemaObject {
  for (const word of ['anyOf', 'oneOf'] as const) {
    const { [word]: branches, ...rest } = schema;
    if (!Array.isArray(branches)) continue;
    // A branch that allows everything decides.
    if (word === 'anyOf' && branches.some(allowsAll)) return withoutChoiceOfValues(rest);
    const values = valuesIn(branches);
    if (
      values &&
      rest.enum === undefined &&
      rest.const === undefined &&
      (word === 'anyOf' || areDisjoint(values))
    )
      return { ...rest, enum: values.flat() };
    const orNull = asNullable(branches);
    if (orNull && Object.keys(rest).every((each) => !(each in orNull))) return { ...rest, ...orNull };
  }
  return schema;
}

/** Returns the values that each branch lists; undefined if a branch is anything but a list of values. */
function valuesIn(branches: readonly JsonSchema[]): unknown[][] | undefined {
  const lists = branches.map((branch) => {
    if (!isObject(branch)) return undefined;
    const { type, enum: listed, const: only, ...others } = branch;
    const values = Array.isArray(listed)
      ? listed
      : 'const' in branch
        ? [only]
        : type === 'null'
          ? [null]
          : undefined;
    return Object.keys(others).length === 0 ? values?.filter((value) => fitsType(type, value)) : undefined;
  });
  return lists.every((list) => list !== undefined) ? lists : undefined;
}

function fitsType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true;
  const types = [type].flat();
  return types.includes(typeOf(value)) || (typeOf(value) === 'integer' && types.includes('number'));
}

const areDisjoint = (lists: unknown[][]): boolean =>
  new Set(lists.flat().map(canonicalJson)).size === lists.flatMap((list) => distinct(list)).length;

/** Keywords that allow null if `type` does. `type` itself is included, because `asNullable` adds null to it. */
const blindToNull =
  /^(type|format|pattern|m(in|ax)[A-Z]\w*|m(in|ax)imum|exclusive\w+|multipleOf|items|prefixItems|uniqueItems|contains|properties|patternProperties|additionalProperties|propertyNames|required|dependentRequired)$/;

/** Rewrites `anyOf: [S, { type: null }]` as S with an additional type, if no keyword of S rejects null. */
function asNullable(branches: readonly JsonSchema[]): SchemaObject | undefined {
  const [one, other, ...more] = branches;
  if (more.length > 0 || !isObject(one) || !isObject(other)) return undefined;
  const isNull = (schema: object) => canonicalJson(schema) === canonicalJson({ type: 'null' });
  const some: SchemaObject = isNull(one) ? other : one;
  if (isNull(one) === isNull(other) || some.type === undefined || [some.type].flat().includes('null'))
    return undefined;
  return Object.keys(some).every((word) => blindToNull.test(word))
    ? { ...some, type: [...[some.type].flat(), 'null'] }
    : undefined;
}
