import fc from 'fast-check';
import { type Alternative, alternativesOf, schemasOfProperty } from './alternatives.ts';
import { attempt, type Make } from './arbitrary.ts';
import type { Schema } from './schema.ts';
import type { World } from './schema-context.ts';
import { textsFor } from './strings.ts';

/** The properties that an object may have by name, and those that it must. */
export function namesOf(world: World, alternative: Alternative): { possible: string[]; required: string[] } {
  const named = new Set(
    alternative.pieces.flatMap((schema) => [
      ...Object.keys(schema.properties ?? {}),
      ...(schema.required ?? []),
      ...Object.entries(schema.dependentRequired ?? {}).flat(2),
    ]),
  );
  const required = [...new Set(alternative.pieces.flatMap((schema) => schema.required ?? []))];
  const possible = [...named].filter(
    (name) =>
      alternativesOf(world, schemasOfProperty(alternative, name)).length > 0 &&
      allowsName(world, alternative, name),
  );
  return { possible, required };
}

const allowsName = (world: World, { pieces }: Alternative, name: string): boolean =>
  pieces.every((schema) => schema.propertyNames === undefined || world.isValid(schema.propertyNames, name));

/** Objects that fit; undefined where there are none. */
export function objects(
  world: World,
  alternative: Alternative,
  make: Make,
  { sparing }: { sparing: boolean },
): fc.Arbitrary<unknown> | undefined {
  const { possible, required } = namesOf(world, alternative);
  if (required.some((name) => !possible.includes(name))) return undefined;
  // Further down only what has to be there: schemas that refer to themselves come to an end.
  const names = sparing ? required : possible;
  const values = Object.fromEntries(
    names.flatMap((name) => {
      if (required.includes(name)) return [[name, make(schemasOfProperty(alternative, name))]];
      const causes: string[] = [];
      const made = attempt(() => make(schemasOfProperty(alternative, name)), causes);
      for (const cause of causes) world.notes.add(`The property ${name} is always left out: ${cause}`);
      return made ? [[name, made]] : [];
    }),
  );
  const named = fc.record(values, { requiredKeys: required, noNullPrototype: true });
  const others = sparing ? undefined : furtherProperties(world, alternative, make, possible);
  const whole = others ? fc.tuple(named, others).map(([own, more]) => ({ ...more, ...own })) : named;
  return whole.map((value) => withDependents(alternative, value, values, make));
}

/** Properties whose names are not in the contract; undefined where none may be. */
function furtherProperties(
  world: World,
  alternative: Alternative,
  make: Make,
  known: string[],
): fc.Arbitrary<Record<string, unknown>> | undefined {
  const { pieces } = alternative;
  const patterns = pieces.flatMap((schema) => Object.keys(schema.patternProperties ?? {}));
  const isFree = (name: string) =>
    !known.includes(name) && name !== '__proto__' && allowsName(world, alternative, name);
  const pairs = [...patterns.map((pattern) => textsFor(pattern)), furtherNames(pieces)].flatMap((names) => {
    const sample = fc.sample(names, { numRuns: 20, seed: 1 }).filter(isFree);
    const schemas: Schema[] | undefined =
      sample[0] === undefined ? undefined : schemasOfProperty(alternative, sample[0]);
    if (!schemas || alternativesOf(world, schemas).length === 0) return [];
    return [fc.tuple(fc.constantFrom(...sample), make(schemas))];
  });
  if (pairs.length === 0) return undefined;
  const least = Math.max(0, ...pieces.map((schema) => schema.minProperties ?? 0)) - known.length;
  const some = fc.uniqueArray(fc.oneof(...pairs), {
    minLength: Math.max(0, least),
    maxLength: Math.max(2, least),
    selector: ([name]) => name,
  });
  const none = fc.constant([]);
  return fc
    .oneof(
      { arbitrary: none, weight: least > 0 || patterns.length > 0 ? 0 : 9 },
      { arbitrary: some, weight: 1 },
    )
    .map(Object.fromEntries);
}

/** Names for what the contract does not name. */
function furtherNames(pieces: Alternative['pieces']): fc.Arbitrary<string> {
  const [shape] = pieces.flatMap((schema) =>
    typeof schema.propertyNames === 'object' && schema.propertyNames.pattern !== undefined
      ? [schema.propertyNames.pattern]
      : [],
  );
  return shape === undefined ? textsFor('^[a-z_]{1,8}$') : textsFor(shape);
}

/** Adds what other properties ask for; the values are always the same ones, so that shrinking goes on. */
function withDependents(
  alternative: Alternative,
  value: Record<string, unknown>,
  values: Record<string, fc.Arbitrary<unknown>>,
  make: Make,
): Record<string, unknown> {
  const rules = alternative.pieces.flatMap((schema) => Object.entries(schema.dependentRequired ?? {}));
  if (rules.length === 0) return value;
  const whole = { ...value };
  for (let before = -1; before !== Object.keys(whole).length; ) {
    before = Object.keys(whole).length;
    for (const [name, needed] of rules)
      for (const each of Object.hasOwn(whole, name) ? needed : [])
        if (!Object.hasOwn(whole, each)) {
          const [made] = fc.sample(values[each] ?? make(schemasOfProperty(alternative, each)), {
            numRuns: 1,
            seed: 1,
          });
          whole[each] = made;
        }
  }
  return whole;
}
