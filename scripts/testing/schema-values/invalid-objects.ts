import fc from 'fast-check';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { type Alternative, schemasOfProperty } from './alternatives.ts';
import type { MakeValues } from './arbitrary.ts';
import { objects, propertyNames } from './objects.ts';
import type { SchemaContext } from './schema-context.ts';
import type { ViolationGenerator } from './violation.ts';

type Json = Record<string, unknown>;

/**
 * Returns generators of objects that violate keywords about the presence or names of properties, one generator per keyword
 * and property. Boundary values violate their number.
 */
export function objectViolations(
  context: SchemaContext,
  alternative: Alternative,
  make: MakeValues,
): ViolationGenerator[] {
  const around = objects(context, alternative, make, Number.POSITIVE_INFINITY);
  if (!around) return [];
  const { possible, required } = propertyNames(context, alternative);
  const valid = around.map((value): Json => ({ ...(value as object) }));
  return [
    ...[...new Set(required)].map((name) => ({
      keyword: 'required',
      inside: `/${escapePointer(name)}`,
      values: valid.map((object) => without(object, name)),
    })),
    ...unknownNames(alternative, valid, [...possible, ...required]),
    ...forbidden(alternative, valid),
    ...dependents(alternative, valid, make),
  ];
}

const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));

// Misspelled names, and names that can break programs, such as `constructor`.
const strangeNames = fc.oneof(
  fc.constantFrom('unknown', 'Id', 'first-name', 'constructor', 'toString', 'a/b', 'a~b'),
  fc.stringMatching(/^[a-z][a-z_]{0,9}$/),
);

function unknownNames(
  { conjuncts }: Alternative,
  valid: fc.Arbitrary<Json>,
  known: string[],
): ViolationGenerator[] {
  return conjuncts.flatMap((schema) =>
    ['additionalProperties', 'unevaluatedProperties']
      .filter((word) => schema[word] === false)
      .map((keyword) => ({
        keyword,
        inside: '/*',
        values: fc
          .tuple(
            valid,
            strangeNames.filter((name) => !known.includes(name)),
            fc.constantFrom(1, 'text', null),
          )
          .map(([object, name, value]) => ({ ...object, [name]: value })),
      })),
  );
}

function forbidden({ conjuncts }: Alternative, valid: fc.Arbitrary<Json>): ViolationGenerator[] {
  const named = conjuncts.flatMap((schema) => Object.entries(schema.properties ?? {}));
  const never = named.filter(([, each]) => each === false).map(([name]) => name);
  const names = conjuncts.flatMap((schema) => (schema.propertyNames === undefined ? [] : ['propertyNames']));
  return [
    ...never.map((name) => ({
      keyword: 'false schema',
      inside: `/${escapePointer(name)}`,
      values: valid.map((object) => ({ ...object, [name]: 1 })),
    })),
    ...names.map((keyword) => ({
      keyword,
      inside: '/*',
      values: fc
        .tuple(
          valid,
          fc.oneof(
            strangeNames,
            fc.string({ maxLength: 40 }),
            fc.constantFrom('NAME', '1', ' ', 'x'.repeat(300)),
          ),
          fc.constantFrom(1, 'text', null, true),
        )
        .map(([object, name, value]) => ({ ...object, [name]: value })),
    })),
  ];
}

function dependents(
  alternative: Alternative,
  valid: fc.Arbitrary<Json>,
  make: MakeValues,
): ViolationGenerator[] {
  return alternative.conjuncts.flatMap((schema) =>
    Object.entries(schema.dependentRequired ?? {}).flatMap(([name, needed]) =>
      needed.map((each) => ({
        keyword: 'dependentRequired',
        inside: `/${escapePointer(each)}`,
        values: fc
          .tuple(
            valid,
            make(schemasOfProperty(alternative, name)),
            fc.record(
              Object.fromEntries(needed.map((other) => [other, make(schemasOfProperty(alternative, other))])),
            ),
          )
          .map(([object, value, others]) => without({ ...object, ...others, [name]: value }, each)),
      })),
    ),
  );
}
