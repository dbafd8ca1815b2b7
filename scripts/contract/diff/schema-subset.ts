import { isObject, objectOf } from '../../../server/lib/json-object.ts';
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
import { areDisjoint } from './disjoint-schemas.ts';
import { finiteValuesOf } from './finite-values.ts';
import { isPatternSubset, lengthPattern } from './pattern-subset.ts';
import type { AreSame } from './same-schemas.ts';
import {
  allowsAll,
  branchesOf,
  byType,
  inPlace,
  isClosed,
  mayApply,
  resolveSide,
  type SchemaSide,
  typesOf,
} from './schema-side.ts';

/** Lower limits get stricter as their value rises, upper limits as it falls. */
const lower = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'];
const upper = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'];

/**
 * Whether every value that is valid in one schema is proven to be valid in another. False means that there is no
 * proof.
 * @param one a normalized schema with its document
 * @param other the schema that should allow at least as much
 * @param areSame whether parts of both are the same, so that they need no proof
 */
export function isSubset(
  one: SchemaSide,
  other: SchemaSide,
  areSame: AreSame = () => false,
  assumed: readonly string[] = [],
): boolean {
  if (areSame(one.schema, other.schema)) return true;
  const [a, b] = [resolveSide(one), resolveSide(other)];
  if (b === true || a === false) return true;
  if (typeof a === 'boolean' || typeof b === 'boolean') return allowsAll(b);
  const values = finiteValuesOf(a);
  if (values)
    return values.every((value) => !one.context.isValid(a, value) || other.context.isValid(b, value));
  // Recursive schemas lead back to the same pair. The pair counts as a subset here, because a counterexample would
  // appear elsewhere (coinduction).
  const name = canonicalJson([a, b]);
  if (assumed.includes(name) || a === b) return true;
  const within = [...assumed, name];
  const isPart = (inner: JsonSchema, outer: JsonSchema) =>
    isSubset({ ...one, schema: inner }, { ...other, schema: outer }, areSame, within);
  const isOpposite = (inner: JsonSchema, outer: JsonSchema) =>
    isSubset(
      { ...other, schema: inner },
      { ...one, schema: outer },
      (mine, theirs) => areSame(theirs, mine),
      within,
    );
  const isApart = (inner: JsonSchema, outer: JsonSchema) =>
    areDisjoint({ ...one, schema: inner }, { ...other, schema: outer });
  // A branch that no value of the schema matches allows nothing.
  const { anyOf: _any, oneOf: _one, discriminator: _by, ...around } = a;
  const own =
    branchesOf(one.context, a)?.filter(
      (branch) => !areDisjoint({ ...one, schema: around }, { ...one, schema: branch }),
    ) ?? byType(a);
  /** Whether the branches of `oneOf` are wider one by one, and no value of one is valid in another that got wider. */
  const widensApart = (): boolean => {
    const mine = branchesOf(one.context, a);
    const theirs = schemasIn(b.oneOf);
    return (
      a.oneOf?.length === theirs.length &&
      mine?.every(
        (inner, index) =>
          isPart(inner, theirs[index] ?? false) &&
          theirs.every(
            (outer, at) => at === index || areSame(a.oneOf?.[at] ?? false, outer) || isApart(inner, outer),
          ),
      ) === true
    );
  };
  const impliesWord = (word: string): boolean => {
    if (!mayApply(word, a)) return true;
    if (word === 'propertyNames' && b.propertyNames !== undefined && isClosed(a)) {
      const names = b.propertyNames;
      return Object.keys(a.properties ?? {}).every((name) => other.context.isValid(names, name));
    }
    if (word === '$ref') return b.$ref === undefined || isPart(a, { $ref: b.$ref });
    if (word === 'not') {
      const twice = refusedTwice(b);
      return (
        refusesAsMuch(a, b, isOpposite) ||
        (b.not !== undefined && isApart(a, b.not)) ||
        (twice !== undefined && isPart(a, twice))
      );
    }
    if (word !== 'anyOf' && word !== 'oneOf') return implies(a, b, word, isPart);
    if (isSame(a[word], b[word])) return true;
    // Exactly one branch of `oneOf` may match, so all other branches must be disjoint.
    const isInOne = (inner: JsonSchema) =>
      schemasIn(b[word]).some(
        (branch, at) =>
          isPart(inner, branch) &&
          (word === 'anyOf' ||
            schemasIn(b[word]).every((each, index) => index === at || isApart(inner, each))),
      );
    return isInOne(a) || own?.every(isInOne) === true || (word === 'oneOf' && widensApart());
  };
  const twice = refusedTwice(a);
  return (
    Object.keys(b).every(impliesWord) ||
    (a.$ref !== undefined && isPart({ $ref: a.$ref }, b)) ||
    own?.every((branch) => isPart(branch, b)) === true ||
    (twice !== undefined && isPart(twice, b))
  );
}

/** Returns the schema that `not: { not: S }` requires. */
function refusedTwice({ not }: SchemaObject): JsonSchema | undefined {
  return isObject(not) && Object.keys(not).length === 1 ? not.not : undefined;
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
  if (word === 'unevaluatedItems')
    return [word, 'items', 'prefixItems', 'contains', ...inPlace].every((each) => isSame(a[each], b[each]));
  if (word !== 'items' && mine !== undefined && isSame(mine, requested)) return true;
  if (lower.includes(word) || upper.includes(word)) {
    const [isLower, limit] = [lower.includes(word), Number(requested)];
    const isWithin = (own: unknown) => typeof own === 'number' && (isLower ? own >= limit : own <= limit);
    if ([mine, impliedLimit(a, word)].some(isWithin)) return true;
    const lengths = word.endsWith('Length') ? lengthPattern({ [word]: limit }) : undefined;
    return a.pattern !== undefined && lengths !== undefined && isPatternSubset(a.pattern, lengths);
  }
  switch (word) {
    case 'type':
      return typesOf(a).every((type) => allowsType(b, type)) && a.type !== undefined;
    case 'required':
      return (
        Array.isArray(requested) && Array.isArray(mine) && requested.every((name) => mine.includes(name))
      );
    case 'multipleOf':
      return typeof requested === 'number' && Number.isInteger((a.multipleOf ?? integerStep(a)) / requested);
    case 'pattern':
      return isPatternSubset(a.pattern ?? lengthPattern(a) ?? '', String(requested));
    case 'format': {
      const limit = requested === 'int32' ? 2 ** 31 : Number.NaN;
      const isWithin = Number(a.minimum) >= -limit && Number(a.maximum) < limit;
      const shape = ownOf(knownFormats, String(requested));
      if (a.pattern !== undefined && shape instanceof RegExp) return isPatternSubset(a.pattern, shape.source);
      return isWithin || (requested === 'int64' && mine === 'int32');
    }
    case 'uniqueItems':
      return mine === true || Number(a.maxItems) <= 1;
    case 'discriminator':
      return mapsAsMuch(mine, requested);
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
      const others = (a.prefixItems ?? []).slice(first, a.maxItems);
      // No item follows the first ones.
      if (Number(a.maxItems) <= first) return true;
      return [...others, a.items ?? true].every((schema) => isPart(schema, b.items ?? true));
    }
    case 'allOf':
      return schemasIn(requested).every(
        (member) => isPart(a, member) || schemasIn(a.allOf).some((own) => isPart(own, member)),
      );
    default:
      return withoutEffect.includes(word);
  }
}

/** Returns a limit that follows from other keywords. */
function impliedLimit(
  { required = [], contains, minContains = 1, ...schema }: SchemaObject,
  word: string,
): number | undefined {
  if (word === 'minProperties') return required.length;
  if (word === 'maxProperties' && isClosed(schema)) return Object.keys(schema.properties ?? {}).length;
  return word === 'minItems' && contains !== undefined ? minContains : undefined;
}

/** Names of properties are strings. */
const textsOf = (names: unknown): JsonSchema =>
  isObject(names) && names.type === undefined ? { ...names, type: 'string' } : { type: 'string' };

/** A discriminator rejects values that it maps to no schema, and those that the mapped schema rejects. */
function mapsAsMuch(mine: unknown, requested: unknown): boolean {
  if (!isObject(mine) || !isObject(requested) || mine.propertyName !== requested.propertyName) return false;
  const mapping = objectOf(requested.mapping);
  return Object.entries(objectOf(mine.mapping)).every(([name, target]) => ownOf(mapping, name) === target);
}

/** Keywords that reject no value. */
const withoutEffect = [
  ...['default', 'deprecated', 'readOnly', 'writeOnly', openEnum],
  ...['x-deprecated-since', 'x-sunset', 'contentEncoding', 'contentMediaType', 'contentSchema'],
];

/** Keywords that have a meaning only in combination. */
const groups = [
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
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
  if (requested === true || (isObject(requested) && Object.keys(requested).length === 0)) return true;
  if (mine === undefined || requested === undefined || !isPart(mine, requested)) return false;
  const others =
    word === 'unevaluatedProperties' ? [...inPlace, 'additionalProperties'] : ['patternProperties'];
  if (!others.every((each) => isSame(a[each], b[each]))) return false;
  const named = b.properties ?? {};
  return Object.entries(a.properties ?? {}).every(
    ([name, schema]) => Object.hasOwn(named, name) || isPart(schema, requested),
  );
}

/** Schemas with references never count as the same: their targets may differ between the documents. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined
    ? one === other
    : canonicalJson(one) === canonicalJson(other) && !JSON.stringify(one).includes('"$ref"');

const allowsType = (schema: SchemaObject, wanted: string): boolean =>
  typesOf(schema).includes(wanted) || (wanted === 'integer' && typesOf(schema).includes('number'));

/** Returns 1 if all numbers of a schema are integers, otherwise NaN. */
const integerStep = (schema: SchemaObject): number => (typesOf(schema).includes('number') ? Number.NaN : 1);

const isListWithin = (mine: unknown, requested: unknown): boolean => {
  const all = new Set(Array.isArray(requested) ? requested.map(canonicalJson) : []);
  return Array.isArray(mine) && mine.every((value) => all.has(canonicalJson(value)));
};
