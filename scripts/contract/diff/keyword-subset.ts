import { isObject, type JsonObject, objectOf } from '../../../server/lib/json-object.ts';
import { isMultipleOf } from '../../../server/lib/multiple-of.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import {
  canonicalJson,
  isSchema,
  type JsonSchema,
  type SchemaObject,
  schemasIn,
} from '../../testing/schema-values/schema.ts';
import { openEnum } from '../model/reader-view.ts';
import { lowerLimits, upperLimits } from './normalize-all-of.ts';
import { isPatternSubset, lengthPattern } from './pattern-subset.ts';
import { inPlace, isClosed, otherBound, typesOf } from './schema-side.ts';

type IsPart = (inner: JsonSchema, outer: JsonSchema) => boolean;

/**
 * Whether every value of a schema is proven to satisfy a keyword of another one. False means that there is no proof.
 * @param a a normalized schema
 * @param b the schema with the keyword
 * @param isPart whether every value of a subschema of `a` is proven to be valid in a subschema of `b`
 * @param isOpposite the same for subschemas of `b` in those of `a`
 */
export function impliesKeyword(
  a: SchemaObject,
  b: SchemaObject,
  word: string,
  isPart: IsPart,
  isOpposite: IsPart,
): boolean {
  const [mine, requested] = [a[word], b[word]];
  if (/contains$/i.test(word)) return containsAsMuch(a, b, isPart, isOpposite);
  if (word === 'additionalProperties' || word === 'unevaluatedProperties')
    return closesAsMuch(a, b, word, isPart);
  if (word === 'unevaluatedItems')
    return [word, 'items', 'prefixItems', 'contains', ...inPlace].every((each) => isSame(a[each], b[each]));
  if (word !== 'items' && mine !== undefined && isSame(mine, requested)) return true;
  const isLower = lowerLimits.includes(word);
  if (isLower || upperLimits.includes(word)) {
    const limit = Number(requested);
    const isWithin = (own: unknown) => typeof own === 'number' && (isLower ? own >= limit : own <= limit);
    if ([mine, impliedLimit(a, word)].some(isWithin)) return true;
    // An inclusive bound implies an exclusive one only beyond it.
    const other = otherBound(word);
    if (other !== undefined && isWithin(a[other])) return a[other] !== limit || other.startsWith('exclusive');
    const lengths = word.endsWith('Length') ? lengthPattern({ [word]: limit }) : undefined;
    return lengths !== undefined && patternsOf(a).some((pattern) => isPatternSubset(pattern, lengths));
  }
  switch (word) {
    case 'type':
      return typesOf(a).every((type) => allowsType(b, type)) && a.type !== undefined;
    case 'required':
      return (b.required ?? []).every((name) => a.required?.includes(name));
    case 'multipleOf': {
      const step = a.multipleOf ?? integerStep(a);
      return step !== undefined && isMultipleOf(step, Number(requested));
    }
    case 'pattern':
      return [...patternsOf(a), lengthPattern(a) ?? ''].some((each) =>
        isPatternSubset(each, String(requested)),
      );
    case 'format': {
      const limit = requested === 'int32' ? 2 ** 31 : Number.NaN;
      const isWithin = Number(a.minimum) >= -limit && Number(a.maximum) < limit;
      const shape = ownOf(knownFormats, String(requested));
      if (a.pattern !== undefined && shape instanceof RegExp) return isPatternSubset(a.pattern, shape.source);
      return isWithin || widerFormats[String(mine)]?.includes(String(requested)) === true;
    }
    case 'uniqueItems':
      return mine === true || Number(a.maxItems) <= 1;
    case 'discriminator':
      return mapsAsMuch(mine, requested) || isSelected(a, objectOf(requested), isPart);
    case 'properties':
      return (
        isObject(requested) &&
        Object.entries(requested).every(([name, schema]) => {
          const known = ownOf(a.properties, name) ?? !isClosed(a);
          return isSchema(schema) && isPart(known, schema);
        })
      );
    case 'patternProperties':
      // A property that matches the pattern satisfies the schema of the same pattern.
      return Object.entries(requested ?? {}).every(([pattern, schema]) => {
        const known = ownOf(a.patternProperties, pattern);
        return known !== undefined && isSchema(schema) && isPart(known, schema);
      });
    case 'propertyNames':
      return isSchema(requested) && isPart(textsOf(mine), requested);
    case 'dependentRequired':
      return Object.entries(requested ?? {}).every(([name, others]) =>
        isListWithin(others, [...(ownOf(a.dependentRequired, name) ?? []), ...(a.required ?? [])]),
      );
    case 'prefixItems':
      return schemasIn(requested)
        .slice(0, a.maxItems)
        .every((schema, at) => isPart(a.prefixItems?.[at] ?? a.items ?? true, schema));
    case 'items': {
      const first = b.prefixItems?.length ?? 0;
      const { prefixItems = [], maxItems = Number.POSITIVE_INFINITY } = a;
      const others = prefixItems.slice(first, a.maxItems);
      // Often, no item follows the first ones.
      if (maxItems > Math.max(first, prefixItems.length)) others.push(a.items ?? true);
      return others.every((schema) => isPart(schema, b.items ?? true));
    }
    case 'dependentSchemas':
      return Object.entries(requested ?? {}).every(
        ([name, schema]) => isSchema(schema) && isPart(ownOf(a.dependentSchemas, name) ?? a, schema),
      );
    case 'contentSchema':
      return isSchema(requested) && isPart(isSchema(mine) ? mine : true, requested);
    case 'allOf':
      return schemasIn(requested).every((member) => isPart(a, member));
    default:
      return withoutEffect.includes(word);
  }
}

/** The formats that every value of another format has. */
const widerFormats: Readonly<Record<string, readonly string[]>> = {
  int32: ['int64'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['iri', 'uri-reference', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
};

/** Patterns that each value of a format matches. */
const formatPatterns: Readonly<Record<string, string>> = {
  date: '^\\d{4}-\\d{2}-\\d{2}$',
  'date-time': '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
  ipv4: '^\\d{1,3}(\\.\\d{1,3}){3}$',
  uuid: '^[\\dA-Fa-f]{8}(-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}$',
};

/** Returns patterns that each text of a schema matches. */
const patternsOf = ({ pattern, format = '' }: SchemaObject): string[] =>
  [pattern, ownOf(formatPatterns, format)].filter((each) => each !== undefined);

/** Returns a limit that follows from other keywords. */
function impliedLimit(
  { required = [], contains, minContains = 1, ...schema }: SchemaObject,
  word: string,
): number | undefined {
  if (schema.format === 'int32' && word === 'minimum') return -(2 ** 31);
  if (schema.format === 'int32' && word === 'maximum') return 2 ** 31 - 1;
  if (word === 'minProperties') return required.length;
  if (word === 'maxProperties' && isClosed(schema)) return Object.keys(schema.properties ?? {}).length;
  return word === 'minItems' && contains !== undefined ? minContains : undefined;
}

/** Names of properties are strings. */
const textsOf = (names: unknown): JsonSchema =>
  isObject(names) ? { ...names, type: 'string' } : { type: 'string' };

/** A discriminator rejects values that it maps to no schema, and those that the mapped schema rejects. */
function mapsAsMuch(mine: unknown, requested: unknown): boolean {
  if (!isObject(mine) || !isObject(requested) || mine.propertyName !== requested.propertyName) return false;
  const mapping = objectOf(requested.mapping);
  return Object.entries(objectOf(mine.mapping)).every(([name, target]) => ownOf(mapping, name) === target);
}

/** Whether a schema lists the values of a discriminator, and satisfies the schemas to which they are mapped. */
function isSelected(
  a: SchemaObject,
  { propertyName, mapping }: JsonObject,
  isPart: (a: JsonSchema, b: JsonSchema) => boolean,
): boolean {
  const name = String(propertyName);
  const own = ownOf(a.properties, name);
  const values = isObject(own) && a.required?.includes(name) ? own.enum : undefined;
  return (values ?? [undefined]).every((value) => {
    const target = ownOf(objectOf(mapping), String(value));
    return typeof target === 'string' && isPart(a, { $ref: target });
  });
}

/** Keywords that reject no value. */
const withoutEffect = [
  ...['default', 'deprecated', 'readOnly', 'writeOnly', openEnum],
  ...['x-deprecated-since', 'x-sunset', 'contentEncoding', 'contentMediaType'],
];

/** Whether at least as many items of `a` match, and at most as many, as `b` demands. */
function containsAsMuch(a: SchemaObject, b: SchemaObject, isPart: IsPart, isOpposite: IsPart): boolean {
  const { contains = true, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = a;
  const { contains: other = true, minContains: least = 1, maxContains: most = Number.POSITIVE_INFINITY } = b;
  if (a.contains === undefined) return least === 0 && most === Number.POSITIVE_INFINITY;
  return (
    (least === 0 || (minContains >= least && isPart(contains, other))) &&
    (most === Number.POSITIVE_INFINITY || (maxContains <= most && isOpposite(other, contains)))
  );
}

/**
 * Whether `a` forbids additional properties at least as strictly as `b`. These keywords depend on their siblings.
 */
function closesAsMuch(
  a: SchemaObject,
  b: SchemaObject,
  word: 'additionalProperties' | 'unevaluatedProperties',
  isPart: (a: JsonSchema, b: JsonSchema) => boolean,
): boolean {
  const [mine, requested] = [a[word], b[word]];
  if (requested === true || (isObject(requested) && Object.keys(requested).length === 0)) return true;
  if (mine === undefined || requested === undefined || !isPart(mine, requested)) return false;
  const others = word === 'unevaluatedProperties' ? [...inPlace, 'additionalProperties'] : [];
  if (!others.every((each) => isSame(a[each], b[each]))) return false;
  return (['properties', 'patternProperties'] as const).every((kind) =>
    Object.entries(a[kind] ?? {}).every(
      ([name, schema]) => ownOf(b[kind], name) !== undefined || isPart(schema, requested),
    ),
  );
}

/** Schemas with references never count as the same: their targets may differ between the documents. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined
    ? one === other
    : canonicalJson(one) === canonicalJson(other) && !JSON.stringify(one).includes('"$ref"');

const allowsType = (schema: SchemaObject, wanted: string): boolean =>
  typesOf(schema).includes(wanted) || (wanted === 'integer' && typesOf(schema).includes('number'));

/** Returns 1 if all numbers of a schema are integers. */
const integerStep = (schema: SchemaObject): number | undefined =>
  schema.type === undefined || typesOf(schema).includes('number') ? undefined : 1;

const isListWithin = (mine: unknown, requested: unknown): boolean => {
  const all = new Set(Array.isArray(requested) ? requested.map(canonicalJson) : []);
  return Array.isArray(mine) && mine.every((value) => all.has(canonicalJson(value)));
};
