import fc from 'fast-check';
import { escapePointer } from '../../../server/lib/json-text.ts';
import {
  type Alternative,
  allowedTypes,
  alternativesOf,
  hasType,
  haveAlternatives,
  listedValues,
  schemasOfItem,
  schemasOfProperty,
} from './alternatives.ts';
import { filterOrThrow, type MakeValues, sampleValues, tryGenerate } from './arbitrary.ts';
import { arraysOfLength, itemCounts, tupleLength } from './arrays.ts';
import { formatGenerators } from './format-generators.ts';
import { integers } from './numbers.ts';
import { objects, propertyNames } from './objects.ts';
import { canonicalJson, type JsonType, type SchemaObject } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';
import { isTextWithin, strings } from './strings.ts';
import { valuesOf } from './values.ts';

/** Values that should violate one keyword at a location. The compiled schema shows that they violate no other. */
interface ViolationGenerator {
  keyword: string;
  /** The location inside the value, such as `/name`; `/*` if the location varies. */
  inside: string;
  values: fc.Arbitrary<unknown>;
}

type Json = Record<string, unknown>;

/** The value that violates a keyword of one of its schemas. */
interface Site {
  context: SchemaContext;
  alternative: Alternative;
  types: readonly JsonType[];
  make: MakeValues;
  /** Generates valid objects. */
  valid: fc.Arbitrary<Json>;
}

/** Returns values that violate a keyword of a schema: the whole value, unless they have a location inside of it. */
type Violate = (
  schema: SchemaObject,
  site: Site,
) => Iterable<Pick<ViolationGenerator, 'values'> & Partial<ViolationGenerator>>;

/** Returns generators for the keywords that values can violate. Boundary values violate limits. */
export function violationGenerators(context: SchemaContext, alternative: Alternative): ViolationGenerator[] {
  const types = allowedTypes(alternative);
  const make: MakeValues = (schemas) => valuesOf(context, schemas, 1);
  const around = types.includes('object') && objects(context, alternative, make, Number.POSITIVE_INFINITY);
  const valid = around ? around.map((value): Json => ({ ...Object(value) })) : fc.constant({});
  const site: Site = { context, alternative, types, make, valid };
  const listed = listedValues(context, alternative);
  const tables = [
    ofAllTypes,
    // A value of another type violates `enum` or `const`, too.
    ...(listed ? [] : [ofScalars]),
    ...(!listed && types.includes('array') ? [ofArrays] : []),
    ...(!listed && around ? [ofObjects] : []),
  ];
  return [
    ...(listed ? otherThanListed(site, listed) : ofOtherTypes(site)),
    ...alternative.flatMap((schema) =>
      tables.flatMap((table) =>
        Object.entries(table).flatMap(([keyword, violate]) =>
          schema[keyword] === undefined
            ? []
            : [...violate(schema, site)].map((made) => ({ keyword, inside: '', ...made })),
        ),
      ),
    ),
  ];
}

/** One value of each type. */
const samples = [null, true, 7, 1.5, 'text', [], {}];

function ofOtherTypes({ alternative, types }: Site): ViolationGenerator[] {
  const others = samples.filter((value) => !hasType(types, value));
  if (others.length === 0 || alternative.every(({ type }) => type === undefined)) return [];
  return [{ keyword: 'type', inside: '', values: fc.constantFrom(...others) }];
}

function otherThanListed({ alternative, types }: Site, listed: readonly unknown[]): ViolationGenerator[] {
  const known = new Set(listed.map(canonicalJson));
  const isOther = (value: unknown) => hasType(types, value) && !known.has(canonicalJson(value));
  // Another value of the same type may not exist: `const: true` leaves false, but `const: null` leaves nothing.
  if (![...samples, false, 'Text'].some(isOther)) return [];
  const values = fc
    .oneof(
      fc.constantFrom(...samples, 'Text', '', 0, -1, false),
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.integer(),
    )
    .filter(isOther);
  return ['enum', 'const']
    .filter((keyword) => alternative.some((schema) => keyword in schema))
    .map((keyword) => ({ keyword, inside: '', values }));
}

/** Returns generated values; none if no value can be generated. */
function made(values: () => fc.Arbitrary<unknown>): { values: fc.Arbitrary<unknown> }[] {
  const found = tryGenerate(values);
  return found ? [{ values: found }] : [];
}

/** Generates values that match none of the branches of `anyOf` or `oneOf`. */
const outsideBranches = (branches: SchemaObject['anyOf'] = [], { context }: Site) =>
  made(() =>
    fc.oneof(
      fc.constantFrom(...samples),
      ...branches.flatMap((branch) =>
        alternativesOf(context, [branch]).flatMap((each) =>
          violationGenerators(context, each).map(({ values }) => values),
        ),
      ),
    ),
  );

/** If there are more branches, each is paired only with the next one. */
const fewBranches = 12;

const ofAllTypes: Record<string, Violate> = {
  not: ({ not = false, ...others }, { alternative, make }) =>
    made(() => make([not, others, ...alternative.filter((each) => each.not === undefined)])),
  anyOf: ({ anyOf }, site) => outsideBranches(anyOf, site),
  oneOf({ oneOf = [] }, site) {
    const near = oneOf.length > fewBranches ? 2 : oneOf.length;
    const pairs = oneOf.flatMap((left, index) =>
      oneOf.slice(index + 1, index + near).map((right) => [left, right]),
    );
    return [...outsideBranches(oneOf, site), ...pairs.flatMap((pair) => made(() => site.make(pair)))];
  },
};

const ofScalars: Record<string, Violate> = {
  *multipleOf({ multipleOf: _step, ...others }, { alternative, types }) {
    const open = [others, ...alternative.filter((each) => each.multipleOf === undefined)];
    const whole = integers([...open, { minimum: -1_000, maximum: 1_000 }]) ?? integers(open);
    const parts = types.includes('number') ? [0, 0.5, 0.25, 0.001, 0.0003] : [0];
    if (whole && hasType(types, 1))
      yield { values: fc.tuple(whole, fc.constantFrom(...parts)).map(([n, part]) => n + part) };
  },
  // Valid texts with a character replaced or removed, blank texts, and others.
  *pattern({ pattern, ...others }, { alternative, types }) {
    if (!types.includes('string')) return;
    const open = [others, ...alternative.filter((each) => each.pattern !== pattern)];
    const valid = (strings(alternative) ?? fc.constant('')).map(String);
    const spoilt = fc
      .tuple(valid, fc.nat({ max: 1_000 }), fc.constantFrom('', ' ', 'é', '\t', '_', '%', 'A'))
      .map(([text, any, instead]) => {
        const all = [...text];
        return all.length === 0 ? instead : all.with(any % all.length, instead).join('');
      });
    const texts = fc.oneof(spoilt, fc.constantFrom(' ', '\t', '   '), (strings(open) ?? spoilt).map(String));
    yield { values: filterOrThrow(texts, isTextWithin(open), `texts unlike ${pattern}`) };
  },
  *format({ format = '' }, { context, alternative, types }) {
    const known = Object.hasOwn(formatGenerators, format) ? formatGenerators[format] : undefined;
    if (!known || !(/^int/.test(format) ? hasType(types, 1) : types.includes('string'))) return;
    // Other keywords, such as the limits of an integer, often exclude all that the format excludes.
    const isAlone = (value: unknown) =>
      alternative.every((schema) =>
        context.violationsOf(schema, value).every(({ keyword }) => keyword === 'format'),
      );
    if (sampleValues<unknown>(known.invalid, 30).some(isAlone)) yield { values: known.invalid };
  },
};

/** Returns longer arrays, if the keyword allows no further item after those of `prefixItems`. */
const closed =
  (keyword: 'items' | 'unevaluatedItems'): Violate =>
  (schema, { context, alternative, make }) => {
    const { max } = itemCounts(context, alternative);
    const isLast =
      schema[keyword] === false &&
      max < Number.POSITIVE_INFINITY &&
      !haveAlternatives(context, schemasOfItem(alternative, max));
    const full = () => arraysOfLength(alternative, make, { min: max, max });
    return isLast ? [{ values: full().map((list) => [...list, 'one more']) }] : [];
  };

const ofArrays: Record<string, Violate> = {
  *uniqueItems({ uniqueItems }, { context, alternative, make }) {
    const { min, max } = itemCounts(context, alternative);
    const lists = arraysOfLength(alternative, make, { min, max: Math.max(min, Math.min(max, min + 3)) });
    if (uniqueItems) yield { values: lists.map((list) => [...list, ...list.slice(0, 1)]) };
  },
  items: closed('items'),
  unevaluatedItems: closed('unevaluatedItems'),
  *contains({ contains = true, minContains = 1, maxContains }, { context, alternative, make }) {
    const { min } = itemCounts(context, alternative);
    const others = make(schemasOfItem(alternative, tupleLength(alternative)).slice(0, 1));
    if (minContains > 0)
      yield {
        values: fc.oneof(fc.constant([]), fc.array(others, { minLength: min, maxLength: min + 3 })),
      };
    if (maxContains !== undefined) {
      const size = { minLength: maxContains + 1, maxLength: maxContains + 1 };
      yield { values: fc.array(make([contains]), size) };
    }
  },
};

const omit = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));

// Misspelled names, and names that can break programs, such as `constructor`.
const strangeNames = fc.oneof(
  fc.constantFrom('unknown', 'Id', 'first-name', 'constructor', 'toString', 'a/b', 'a~b'),
  fc.stringMatching(/^[a-z][a-z_]{0,9}$/),
);

/** Returns valid objects with another property. */
const withNamed = (valid: fc.Arbitrary<Json>, names: fc.Arbitrary<string>) => ({
  inside: '/*',
  values: fc
    .tuple(valid, names, fc.constantFrom(1, 'text', null, true))
    .map(([object, name, value]) => ({ ...object, [name]: value })),
});

const closedObject =
  (keyword: 'additionalProperties' | 'unevaluatedProperties'): Violate =>
  (schema, { context, alternative, valid }) => {
    const { possible, required } = propertyNames(context, alternative);
    const isUnknown = (name: string) => ![...possible, ...required].includes(name);
    return schema[keyword] === false ? [withNamed(valid, strangeNames.filter(isUnknown))] : [];
  };

const ofObjects: Record<string, Violate> = {
  required: ({ required = [] }, { valid }) =>
    required.map((name) => ({
      inside: `/${escapePointer(name)}`,
      values: valid.map((object) => omit(object, name)),
    })),
  additionalProperties: closedObject('additionalProperties'),
  unevaluatedProperties: closedObject('unevaluatedProperties'),
  properties: ({ properties = {} }, { valid }) =>
    Object.keys(properties)
      .filter((name) => properties[name] === false)
      .map((name) => ({
        keyword: 'false schema',
        inside: `/${escapePointer(name)}`,
        values: valid.map((object) => ({ ...object, [name]: 1 })),
      })),
  propertyNames: (_schema, { valid }) => [
    withNamed(
      valid,
      fc.oneof(
        strangeNames,
        fc.string({ maxLength: 40 }),
        fc.constantFrom('NAME', '1', ' ', 'x'.repeat(300)),
      ),
    ),
  ],
  dependentRequired: ({ dependentRequired = {} }, { alternative, valid, make }) =>
    Object.entries(dependentRequired).flatMap(([name, needed]) => {
      const added = [name, ...needed].map((each) => [each, make(schemasOfProperty(alternative, each))]);
      const whole = fc
        .tuple(valid, fc.record(Object.fromEntries(added)))
        .map(([object, all]): Json => ({ ...object, ...all }));
      return needed.map((each) => ({
        inside: `/${escapePointer(each)}`,
        values: whole.map((object) => omit(object, each)),
      }));
    }),
};
