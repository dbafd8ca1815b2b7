import fc from 'fast-check';
import { type Alternative, allowedTypes, alternativesOf, hasType, listedValues } from './alternatives.ts';
import type { MakeValues } from './arbitrary.ts';
import { tryGenerate } from './arbitrary.ts';
import { arrayViolations } from './invalid-arrays.ts';
import { objectViolations } from './invalid-objects.ts';
import { scalarViolations } from './invalid-scalars.ts';
import { canonicalJson } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';
import { valuesOf } from './values.ts';
import type { ViolationGenerator } from './violation.ts';

/** Returns generators for every keyword that values can violate. */
export function violationGenerators(context: SchemaContext, alternative: Alternative): ViolationGenerator[] {
  const make: MakeValues = (schemas) => valuesOf(context, schemas, 1);
  const types = allowedTypes(alternative);
  const listed = listedValues(context, alternative) !== undefined;
  return [
    ...breakersOfType(alternative, listed),
    ...(listed ? breakersOfListed(context, alternative) : []),
    ...breakersOfNot(context, alternative),
    ...breakersOfChoices(context, alternative),
    ...(listed ? [] : scalarViolations(alternative)),
    ...(types.includes('array') ? arrayViolations(context, alternative, make) : []),
    ...(types.includes('object') ? objectViolations(context, alternative, make) : []),
  ];
}

/** One value of each type. */
const samples = [null, true, 7, 1.5, 'text', [], {}];

function breakersOfType(alternative: Alternative, listed: boolean): ViolationGenerator[] {
  // With `enum` or `const`, a value of another type would violate two keywords.
  if (listed || !alternative.conjuncts.some((schema) => schema.type !== undefined)) return [];
  const others = samples.filter((value) => !hasType(allowedTypes(alternative), value));
  return others.length === 0 ? [] : [{ keyword: 'type', inside: '', values: fc.constantFrom(...others) }];
}

function breakersOfListed(context: SchemaContext, alternative: Alternative): ViolationGenerator[] {
  const words = alternative.conjuncts.flatMap((schema) => ['enum', 'const'].filter((word) => word in schema));
  const listed = new Set(listedValues(context, alternative)?.map(canonicalJson));
  const types = allowedTypes(alternative);
  const others = fc
    .oneof(
      fc.constantFrom(...samples, 'Text', '', 0, -1, false),
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.integer(),
    )
    .filter((value) => hasType(types, value) && !listed.has(canonicalJson(value)));
  // Another value of the same type may not exist: `const: true` leaves false, but `const: null` leaves nothing.
  const possible = [...samples, false, 'Text'].some(
    (value) => hasType(types, value) && !listed.has(canonicalJson(value)),
  );
  return possible ? [...new Set(words)].map((keyword) => ({ keyword, inside: '', values: others })) : [];
}

function breakersOfNot(context: SchemaContext, { conjuncts }: Alternative): ViolationGenerator[] {
  return conjuncts.flatMap(({ not, ...others }) =>
    not === undefined
      ? []
      : made('not', () =>
          valuesOf(context, [not, others, ...conjuncts.filter((piece) => piece.not === undefined)], 1),
        ),
  );
}

const fewBranches = 12;

/** Returns generators of values that match no branch of `anyOf` or `oneOf`, or two branches of `oneOf`. */
function breakersOfChoices(context: SchemaContext, { conjuncts }: Alternative): ViolationGenerator[] {
  return conjuncts.flatMap((schema) =>
    (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
      const branches = schema[keyword];
      if (!branches) return [];
      const none = made(keyword, () =>
        fc.oneof(
          fc.constantFrom(...samples),
          ...branches.flatMap((branch) =>
            alternativesOf(context, [branch]).flatMap((alternative) =>
              violationGenerators(context, alternative).map(({ values }) => values),
            ),
          ),
        ),
      );
      // If there are many branches, each is paired only with the next one.
      const near = branches.length > fewBranches ? 2 : branches.length;
      const two = branches.flatMap((left, index) =>
        branches.slice(index + 1, index + near).map((right) => [left, right]),
      );
      const both =
        keyword === 'anyOf'
          ? []
          : // Pairs of branches that no value satisfies are omitted.
            two.flatMap((pair) => made(keyword, () => valuesOf(context, pair, 1)));
      return [...none, ...both];
    }),
  );
}

function made(keyword: string, values: () => fc.Arbitrary<unknown>): ViolationGenerator[] {
  const found = tryGenerate(values);
  return found ? [{ keyword, inside: '', values: found }] : [];
}
