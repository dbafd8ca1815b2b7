import { isObject } from '../../../server/lib/json-object.ts';
import {
  canonicalJson,
  type JsonSchema,
  type SchemaObject,
  schemasIn,
} from '../../testing/schema-values/schema.ts';
import { areDisjoint } from './disjoint-schemas.ts';
import { impliesKeyword, isSame } from './keyword-subset.ts';
import { mergeAllOf } from './normalize-all-of.ts';
import { finiteValuesOf } from './pattern-subset.ts';
import type { AreSame } from './same-schemas.ts';
import {
  allowsAll,
  branchesOf,
  byType,
  isClosed,
  mayApply,
  resolveSide,
  type SchemaSide,
} from './schema-side.ts';

/** The results for pairs of schemas of two documents. Exponentially many chains of references can lead to one pair. */
export interface KnownPairs {
  /**
   * The proven pairs in the order of their proofs, and those that are being compared: a pair inside itself counts as proven,
   * because a counterexample would appear elsewhere (coinduction).
   */
  readonly proven: string[];
  /** The same pairs. */
  readonly isProven: Set<string>;
  /** The pairs that have no proof, even with the assumptions of that time. */
  readonly unproven: Set<string>;
}

/** Returns no results yet. Only comparisons of the same two documents may share them. */
export const createKnownPairs = (): KnownPairs => ({ proven: [], isProven: new Set(), unproven: new Set() });

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
  known = createKnownPairs(),
): boolean {
  try {
    return isProvenSubset(one, other, { areSame, known, isReversed: false });
  } catch (error) {
    // The stack is exhausted: schemas that refer to others lead from pair to pair, of which there are many.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isProvenSubset(
  one: SchemaSide,
  other: SchemaSide,
  { areSame, known, isReversed }: Comparing,
): boolean {
  if (areSame(one.schema, other.schema)) return true;
  const [a, b] = [resolveSide(one), resolveSide(other)];
  if (b === true || a === false) return true;
  if (typeof a === 'boolean' || typeof b === 'boolean') return allowsAll(b);
  const values = finiteValuesOf(a);
  if (values)
    return values.every((value) => !one.context.isValid(a, value) || other.context.isValid(b, value));
  const name = `${isReversed} ${canonicalJson([a, b])}`;
  if (known.isProven.has(name) || a === b) return true;
  if (known.unproven.has(name)) return false;
  const before = known.proven.push(name) - 1;
  known.isProven.add(name);
  let isProven = false;
  try {
    isProven = impliesAll({ ...one, schema: a }, { ...other, schema: b }, { areSame, known, isReversed });
  } finally {
    if (!isProven) {
      // Proofs that were found under this assumption may depend on it.
      for (const each of known.proven.splice(before)) known.isProven.delete(each);
      known.unproven.add(name);
    }
  }
  return isProven;
}

interface ObjectSide extends SchemaSide {
  schema: SchemaObject;
}

interface Comparing {
  areSame: AreSame;
  known: KnownPairs;
  /** Whether the first schema belongs to the second document. */
  isReversed: boolean;
}

function impliesAll(one: ObjectSide, other: ObjectSide, { areSame, known, isReversed }: Comparing): boolean {
  const [a, b] = [one.schema, other.schema];
  const isPart = (inner: JsonSchema, outer: JsonSchema) =>
    isProvenSubset({ ...one, schema: inner }, { ...other, schema: outer }, { areSame, known, isReversed });
  const isOpposite = (inner: JsonSchema, outer: JsonSchema) =>
    isProvenSubset(
      { ...other, schema: inner },
      { ...one, schema: outer },
      { areSame: (mine, theirs) => areSame(theirs, mine), known, isReversed: !isReversed },
    );
  const isApart = (inner: JsonSchema, outer: JsonSchema) =>
    areDisjoint({ ...one, schema: inner }, { ...other, schema: outer });
  // What these keywords reject depends on all others.
  const { unevaluatedProperties: _properties, unevaluatedItems: _items, ...plain } = a;
  // A branch that no value of the schema matches allows nothing.
  const { anyOf: _any, oneOf: _one, discriminator: _by, ...around } = plain;
  const own =
    branchesOf(one.context, a)?.filter(
      (branch) => !areDisjoint({ ...one, schema: around }, { ...one, schema: branch }),
    ) ?? byType(a);
  /** Whether all values of both schemas are in a third one. References may lead elsewhere in the other document. */
  const isMeetingIn = (inner: JsonSchema, outer: JsonSchema, third: JsonSchema): boolean => {
    const all = [
      resolveSide({ ...one, schema: inner }),
      resolveSide({ ...other, schema: outer }),
      resolveSide({ ...one, schema: third }),
    ];
    const [mine = true, theirs = true, wanted = true] = all;
    return (
      !JSON.stringify(all).includes('"$ref"') &&
      isPart(
        mergeAllOf({ allOf: [mine, theirs] }, () => undefined),
        wanted,
      )
    );
  };
  /** Whether the branches of `oneOf` are wider one by one, and a value that is not in another branch is not in its wider form. */
  const widensApart = (): boolean => {
    const mine = branchesOf(one.context, a);
    const theirs = schemasIn(b.oneOf);
    return (
      a.oneOf?.length === theirs.length &&
      mine?.every(
        (inner, index) =>
          isPart(inner, theirs[index] ?? false) &&
          theirs.every((outer, at) => {
            const own = a.oneOf?.[at] ?? false;
            return (
              at === index || areSame(own, outer) || isApart(inner, outer) || isMeetingIn(inner, outer, own)
            );
          }),
      ) === true
    );
  };
  const impliesWord = (word: string): boolean => {
    if (!mayApply(word, a)) return true;
    if (word === 'propertyNames' && b.propertyNames !== undefined && isClosed(a)) {
      const names = b.propertyNames;
      return Object.keys(a.properties ?? {}).every((name) => other.context.isValid(names, name));
    }
    if (word === 'patternProperties' && isClosed(a))
      return Object.entries(b.patternProperties ?? {}).every(([pattern, wanted]) =>
        Object.entries(a.properties ?? {}).every(
          ([name, schema]) =>
            other.context.isValid({ patternProperties: { [pattern]: false } }, { [name]: 0 }) ||
            isPart(schema, wanted),
        ),
      );
    if (word === '$ref') return b.$ref === undefined || isPart(a, { $ref: b.$ref });
    if (word === 'not') {
      const twice = refusedTwice(b);
      return (
        refusesAsMuch(a, b, isOpposite) ||
        (b.not !== undefined && isApart(a, b.not)) ||
        (twice !== undefined && isPart(a, twice))
      );
    }
    if (word === 'if') return true;
    if (word === 'then' || word === 'else') {
      const [condition, wanted] = [b.if ?? true, b[word] ?? true];
      const isOther =
        a.if !== undefined && (word === 'then' ? isOpposite(condition, a.if) : isPart(a.if, condition));
      return (
        (isOther && isPart(a[word] ?? true, wanted)) ||
        isPart(a, wanted) ||
        (word === 'then' ? isApart(a, condition) : isPart(a, condition))
      );
    }
    if (word !== 'anyOf' && word !== 'oneOf') return impliesKeyword(a, b, word, isPart, isOpposite);
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
  const areBranchesIn = (wanted: JsonSchema) => own?.every((branch) => isPart(branch, wanted)) === true;
  const { anyOf, oneOf, ...others } = b;
  const isChoice =
    (anyOf ?? oneOf) !== undefined && !('unevaluatedProperties' in b || 'unevaluatedItems' in b);
  // A value satisfies all members at once, so each part may follow from another one.
  const { allOf, $ref, ...rest } = plain;
  const references = $ref === undefined ? [] : [{ $ref }];
  const members = [...(allOf ?? []), ...references];
  const followsFromMembers = (word: string): boolean =>
    members.length > 0 &&
    !dependsOnOthers.test(word) &&
    partsOf(b, word).every((part) => [rest, ...members].some((member) => isPart(member, part)));
  return (
    Object.keys(b).every((word) => impliesWord(word) || followsFromMembers(word)) ||
    references.some((reference) => isPart(reference, b)) ||
    areBranchesIn(b) ||
    (isChoice &&
      areBranchesIn(others) &&
      ['anyOf', 'oneOf'].every((word) => !(word in b) || impliesWord(word))) ||
    (twice !== undefined && isPart(twice, b))
  );
}

/** Keywords whose meaning depends on those next to them. */
const dependsOnOthers = /^(additional|unevaluated)|contains$|^(if|then|else|items)$/i;

/** Splits a keyword of a schema into what it requires of each property. */
function partsOf(schema: SchemaObject, word: string): SchemaObject[] {
  if (word === 'required') return (schema.required ?? []).map((name) => ({ required: [name] }));
  if (word !== 'properties') return [{ [word]: schema[word] }];
  return Object.entries(schema.properties ?? {}).map(([name, schema]) => ({
    properties: { [name]: schema },
  }));
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
