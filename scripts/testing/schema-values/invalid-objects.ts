import fc from 'fast-check';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { type Alternative, schemasOfProperty } from './alternatives.ts';
import type { Make } from './arbitrary.ts';
import { namesOf, objects } from './objects.ts';
import type { World } from './schema-context.ts';
import type { Breaker } from './violation.ts';

type Json = Record<string, unknown>;

/** Objects that lack something, or hold too much: for each keyword, and each property, that says so. */
export function breakersOfObjects(world: World, alternative: Alternative, make: Make): Breaker[] {
  const around = objects(world, alternative, make, { sparing: false });
  if (!around) return [];
  const { possible, required } = namesOf(world, alternative);
  const sound = around.map((value): Json => ({ ...(value as object) }));
  const whole = sound;
  return [
    ...[...new Set(required)].map((name) => ({
      keyword: 'required',
      inside: `/${escapePointer(name)}`,
      values: whole.map((object) => without(object, name)),
    })),
    ...unknownNames(alternative, sound, [...possible, ...required]),
    ...forbidden(alternative, sound),
    ...dependents(alternative, sound, make),
    ...counts(alternative, sound, { possible, required }, make),
  ];
}

const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));

// Names that a typing error makes, and names that programs fall over.
const strangeNames = fc.oneof(
  fc.constantFrom('unknown', 'Id', 'first-name', 'constructor', 'toString', 'a/b', 'a~b'),
  fc.stringMatching(/^[a-z][a-z_]{0,9}$/),
);

function unknownNames({ pieces }: Alternative, sound: fc.Arbitrary<Json>, known: string[]): Breaker[] {
  return pieces.flatMap((schema) =>
    ['additionalProperties', 'unevaluatedProperties']
      .filter((word) => schema[word] === false)
      .map((keyword) => ({
        keyword,
        inside: '/*',
        values: fc
          .tuple(
            sound,
            strangeNames.filter((name) => !known.includes(name)),
            fc.constantFrom(1, 'text', null),
          )
          .map(([object, name, value]) => ({ ...object, [name]: value })),
      })),
  );
}

function forbidden({ pieces }: Alternative, sound: fc.Arbitrary<Json>): Breaker[] {
  const named = pieces.flatMap((schema) => Object.entries(schema.properties ?? {}));
  const never = named.filter(([, each]) => each === false).map(([name]) => name);
  const names = pieces.flatMap((schema) => (schema.propertyNames === undefined ? [] : ['propertyNames']));
  return [
    ...never.map((name) => ({
      keyword: 'false schema',
      inside: `/${escapePointer(name)}`,
      values: sound.map((object) => ({ ...object, [name]: 1 })),
    })),
    ...names.map((keyword) => ({
      keyword,
      inside: '/*',
      values: fc
        .tuple(
          sound,
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

function dependents(alternative: Alternative, sound: fc.Arbitrary<Json>, make: Make): Breaker[] {
  return alternative.pieces.flatMap((schema) =>
    Object.entries(schema.dependentRequired ?? {}).flatMap(([name, needed]) =>
      needed.map((each) => ({
        keyword: 'dependentRequired',
        inside: `/${escapePointer(each)}`,
        values: fc
          .tuple(
            sound,
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

function counts(
  alternative: Alternative,
  sound: fc.Arbitrary<Json>,
  { possible, required }: { possible: string[]; required: string[] },
  make: Make,
): Breaker[] {
  const all = fc.record(
    Object.fromEntries(possible.map((name) => [name, make(schemasOfProperty(alternative, name))])),
    { noNullPrototype: true },
  );
  const numbered = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, 1]));
  return alternative.pieces.flatMap(({ minProperties, maxProperties }) => [
    ...(minProperties
      ? [
          {
            keyword: 'minProperties',
            inside: '',
            values: fc.tuple(sound, fc.nat({ max: minProperties - 1 })).map(([object, count]) => {
              const kept = Object.entries(object).sort(
                ([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)),
              );
              return Object.fromEntries(kept.slice(0, count));
            }),
          },
        ]
      : []),
    ...(maxProperties === undefined
      ? []
      : [
          {
            keyword: 'maxProperties',
            inside: '',
            // What is known first; invented names where that is not enough.
            values: fc.oneof(
              all,
              all.map((object) => ({ ...numbered(maxProperties + 1), ...object })),
            ),
          },
        ]),
  ]);
}
