import { resolvePointer } from '../../testing/schema-values/json-pointer.ts';
import {
  canonicalJson,
  isObject,
  isSchema,
  type JsonSchema,
  type SchemaObject,
} from '../../testing/schema-values/schema.ts';

interface Side {
  document: object;
  schema: JsonSchema;
}

/** Lower limits get stricter as their value rises, upper limits as it falls. */
const lower = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'];
const upper = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'];

/**
 * Whether every value that is valid in one schema is proven to be valid in another. False means that there is no
 * proof.
 * @param one a normalized schema with its document
 * @param other the schema that should allow at least as much
 */
export function isSubset(one: Side, other: Side, assumed: readonly string[] = []): boolean {
  const [a, b] = [resolved(one), resolved(other)];
  if (b === true || a === false) return true;
  if (typeof a === 'boolean' || typeof b === 'boolean') return isObject(b) && Object.keys(b).length === 0;
  // Recursive schemas lead back to the same pair. The pair counts as a subset here, because a counterexample would
  // appear elsewhere (coinduction).
  const name = canonicalJson([a, b]);
  if (assumed.includes(name) || a === b) return true;
  const within = [...assumed, name];
  const isPart = (inner: JsonSchema, outer: JsonSchema) =>
    isSubset({ ...one, schema: inner }, { ...other, schema: outer }, within);
  const isOpposite = (inner: JsonSchema, outer: JsonSchema) =>
    isSubset({ ...other, schema: inner }, { ...one, schema: outer }, within);
  return (
    Object.keys(b).every((word) =>
      word === 'not' ? refusesAsMuch(a, b, isOpposite) : implies(a, b, word, isPart),
    ) ||
    onlyBranches(a)?.every((branch) => isPart(branch, b)) === true ||
    (Array.isArray(b.anyOf) && Object.keys(b).length === 1 && b.anyOf.some((branch) => isPart(a, branch)))
  );
}

/** `not` rejects what its schema accepts, so the direction of the comparison is reversed. */
const refusesAsMuch = (
  a: SchemaObject,
  b: SchemaObject,
  isPart: (inner: JsonSchema, outer: JsonSchema) => boolean,
): boolean => a.not !== undefined && b.not !== undefined && isPart(b.not, a.not);

function implies(
  a: SchemaObject,
  b: SchemaObject,
  word: string,
  isPart: (a: JsonSchema, b: JsonSchema) => boolean,
): boolean {
  const [mine, requested] = [a[word], b[word]];
  const around = groups.find((group) => group.includes(word));
  if (around) return around.every((each) => isSame(a[each], b[each])) && around.some((each) => each in a);
  if (word === 'additionalProperties' || word === 'unevaluatedProperties')
    return closesAsMuch(a, b, word, isPart);
  if (mine !== undefined && isSame(mine, requested)) return true;
  if (lower.includes(word))
    return typeof mine === 'number' && typeof requested === 'number' && mine >= requested;
  if (upper.includes(word))
    return typeof mine === 'number' && typeof requested === 'number' && mine <= requested;
  switch (word) {
    case 'type':
      return (
        typesOf(a.type).every(
          (type) =>
            typesOf(b.type).includes(type) || (type === 'integer' && typesOf(b.type).includes('number')),
        ) && a.type !== undefined
      );
    case 'enum':
    case 'required':
      return word === 'enum'
        ? isListWithin(mine, requested)
        : Array.isArray(requested) && Array.isArray(mine) && requested.every((name) => mine.includes(name));
    case 'multipleOf':
      return typeof mine === 'number' && typeof requested === 'number' && Number.isInteger(mine / requested);
    case 'uniqueItems':
      return mine === true;
    case 'properties':
      return (
        isObject(requested) &&
        Object.entries(requested).every(
          ([name, schema]) => isSchema(schema) && isPart(a.properties?.[name] ?? true, schema),
        )
      );
    case 'items':
      return (
        canonicalJson(a.prefixItems ?? []) === canonicalJson(b.prefixItems ?? []) &&
        isPart(a.items ?? true, b.items ?? true)
      );
    case 'anyOf':
    case 'oneOf':
      // Exactly one branch of `oneOf` may match, so only an identical `oneOf` (checked above) is a proof.
      return (
        word === 'anyOf' &&
        listOf(requested).length > 0 &&
        (onlyBranches(a) ?? [a]).every((branch) => listOf(requested).some((outer) => isPart(branch, outer)))
      );
    case 'allOf':
      return listOf(requested).every(
        (member) => isPart(a, member) || listOf(a.allOf).some((own) => isPart(own, member)),
      );
    default:
      return ['default', 'deprecated', 'x-deprecated-since', 'x-sunset', 'discriminator'].includes(word);
  }
}

/** Keywords that have a meaning only in combination. */
const groups = [
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
];

/** Keywords that can affect which properties of an object count as additional or unevaluated. */
const inPlace = [
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  '$ref',
  'not',
  'patternProperties',
];

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
  if (mine === undefined || requested === undefined || !isPart(mine, requested)) return false;
  if (!inPlace.every((each) => isSame(a[each], b[each]))) return false;
  const named = b.properties ?? {};
  return Object.entries(a.properties ?? {}).every(
    ([name, schema]) => name in named || isPart(schema, requested),
  );
}

/** Schemas with references never count as the same: their targets may differ between the documents. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined
    ? one === other
    : canonicalJson(one) === canonicalJson(other) && !JSON.stringify(one).includes('"$ref"');

const typesOf = (type: unknown): unknown[] => [type ?? []].flat();
const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

const isListWithin = (mine: unknown, requested: unknown): boolean => {
  const all = new Set(Array.isArray(requested) ? requested.map(canonicalJson) : []);
  return Array.isArray(mine) && mine.every((value) => all.has(canonicalJson(value)));
};

/** Returns the branches of a schema that consists only of `anyOf` or `oneOf`. */
function onlyBranches(schema: SchemaObject): JsonSchema[] | undefined {
  const [word, ...more] = Object.keys(schema);
  return more.length === 0 && (word === 'anyOf' || word === 'oneOf') ? listOf(schema[word]) : undefined;
}

function resolved({ document, schema }: Side): JsonSchema {
  let target = schema;
  for (
    let steps = 0;
    isObject(target) && target.$ref !== undefined && Object.keys(target).length === 1 && steps < 50;
    steps += 1
  ) {
    const found = resolvePointer(document, target.$ref.slice(1));
    target = isSchema(found) ? found : true;
  }
  return isObject(target) && Object.keys(target).length === 0 ? true : target;
}
