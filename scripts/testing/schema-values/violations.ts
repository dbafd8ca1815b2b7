import fc from 'fast-check';
import { type Alternative, alternativesOf, hasType, listedIn, typesOf } from './alternatives.ts';
import type { Make } from './arbitrary.ts';
import { attempt } from './arbitrary.ts';
import { breakersOfLists } from './invalid-arrays.ts';
import { breakersOfNumbers } from './invalid-numbers.ts';
import { breakersOfObjects } from './invalid-objects.ts';
import { breakersOfStrings } from './invalid-strings.ts';
import { canonical } from './schema.ts';
import type { World } from './schema-context.ts';
import { valuesOf } from './values.ts';
import type { Breaker } from './violation.ts';

/** Every keyword of one way to fit that values can be made to break. */
export function breakersOf(world: World, alternative: Alternative): Breaker[] {
  const make: Make = (schemas) => valuesOf(world, schemas, 1);
  const types = typesOf(alternative);
  const has = (...names: string[]) => types.some((type) => names.includes(type));
  const listed = listedIn(world, alternative) !== undefined;
  return [
    ...breakersOfType(alternative, listed),
    ...(listed ? breakersOfListed(world, alternative) : []),
    ...breakersOfNot(world, alternative),
    ...breakersOfChoices(world, alternative),
    ...(has('integer', 'number') && !listed ? breakersOfNumbers(alternative) : []),
    ...(has('string') && !listed ? breakersOfStrings(alternative) : []),
    ...(has('array') ? breakersOfLists(world, alternative, make) : []),
    ...(has('object') ? breakersOfObjects(world, alternative, make) : []),
  ];
}

/** One of each type. */
const samples = [null, true, 7, 1.5, 'text', [], {}];

function breakersOfType(alternative: Alternative, listed: boolean): Breaker[] {
  // A value of another type is on no list either: two keywords would be broken.
  if (listed || !alternative.pieces.some((schema) => schema.type !== undefined)) return [];
  const others = samples.filter((value) => !hasType(typesOf(alternative), value));
  return others.length === 0 ? [] : [{ keyword: 'type', inside: '', values: fc.constantFrom(...others) }];
}

function breakersOfListed(world: World, alternative: Alternative): Breaker[] {
  const words = alternative.pieces.flatMap((schema) => ['enum', 'const'].filter((word) => word in schema));
  const listed = new Set(listedIn(world, alternative)?.map(canonical));
  const types = typesOf(alternative);
  const others = fc
    .oneof(
      fc.constantFrom(...samples, 'Text', '', 0, -1, false),
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.integer(),
    )
    .filter((value) => hasType(types, value) && !listed.has(canonical(value)));
  // `const: true` of a boolean leaves false; of null it leaves nothing.
  const possible = [...samples, false, 'Text'].some(
    (value) => hasType(types, value) && !listed.has(canonical(value)),
  );
  return possible ? [...new Set(words)].map((keyword) => ({ keyword, inside: '', values: others })) : [];
}

function breakersOfNot(world: World, { pieces }: Alternative): Breaker[] {
  return pieces.flatMap(({ not, ...others }) =>
    not === undefined
      ? []
      : made('not', () =>
          valuesOf(world, [not, others, ...pieces.filter((piece) => piece.not === undefined)], 1),
        ),
  );
}

const fewBranches = 12;

/** Values that fit no branch, and, of `oneOf`, values that fit two. */
function breakersOfChoices(world: World, { pieces }: Alternative): Breaker[] {
  return pieces.flatMap((schema) =>
    (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
      const branches = schema[keyword];
      if (!branches) return [];
      const none = made(keyword, () =>
        fc.oneof(
          fc.constantFrom(...samples),
          ...branches.flatMap((branch) =>
            alternativesOf(world, [branch]).flatMap((alternative) =>
              breakersOf(world, alternative).map(({ values }) => values),
            ),
          ),
        ),
      );
      // Of many branches each is tried with the next one only.
      const near = branches.length > fewBranches ? 2 : branches.length;
      const two = branches.flatMap((left, place) =>
        branches.slice(place + 1, place + near).map((right) => [left, right]),
      );
      const both =
        keyword === 'anyOf'
          ? []
          : // Each branch alone is judged, not the choice between them.
            two.flatMap((pair) => made(keyword, () => valuesOf(world, pair, 1)));
      return [...none, ...both];
    }),
  );
}

function made(keyword: string, values: () => fc.Arbitrary<unknown>): Breaker[] {
  const found = attempt(values);
  return found ? [{ keyword, inside: '', values: found }] : [];
}
