import fc from 'fast-check';
import { defineOwn, ownOf } from '../../../server/lib/own-property.ts';
import { type Alternative, haveAlternatives, schemasOfProperty } from './alternatives.ts';
import { type MakeValues, tryGenerate } from './arbitrary.ts';
import type { JsonSchema } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';
import { textsMatching } from './strings.ts';

/** Returns the property names that schemas mention and allow (`possible`), and the required names. */
export function propertyNames(
  context: SchemaContext,
  alternative: Alternative,
): { possible: string[]; required: string[] } {
  const named = new Set(
    alternative.flatMap((schema) => [
      ...Object.keys(schema.properties ?? {}),
      ...(schema.required ?? []),
      ...Object.entries(schema.dependentRequired ?? {}).flat(2),
    ]),
  );
  const required = [...new Set(alternative.flatMap((schema) => schema.required ?? []))];
  const possible = [...named].filter(
    (name) =>
      haveAlternatives(context, schemasOfProperty(alternative, name)) &&
      allowsName(context, alternative, name),
  );
  return { possible, required };
}

const allowsName = (context: SchemaContext, alternative: Alternative, name: string): boolean =>
  alternative.every(
    (schema) => schema.propertyNames === undefined || context.isValid(schema.propertyNames, name),
  );

/**
 * Generates objects; undefined if no value is valid.
 * @param maxOptional maximum number of properties that are not required
 */
export function objects(
  context: SchemaContext,
  alternative: Alternative,
  make: MakeValues,
  maxOptional: number,
): fc.Arbitrary<unknown> | undefined {
  const { possible, required } = propertyNames(context, alternative);
  if (required.some((name) => !possible.includes(name))) return undefined;
  const least = Math.max(0, ...alternative.map((schema) => schema.minProperties ?? 0));
  const most = Math.max(maxOptional, least - required.length);
  const sparing = most === 0;
  const names = sparing ? required : possible;
  const values = Object.fromEntries(
    names.flatMap((name) => {
      if (required.includes(name)) return [[name, make(schemasOfProperty(alternative, name))]];
      const causes: string[] = [];
      const made = tryGenerate(() => make(schemasOfProperty(alternative, name)), causes);
      for (const cause of causes) context.notes.add(`The property ${name} is always omitted: ${cause}`);
      return made ? [[name, made]] : [];
    }),
  );
  // A property may depend on an impossible one.
  for (const [name, needed] of dependentsIn(alternative))
    if (!required.includes(name) && needed.some((each) => !Object.hasOwn(values, each))) delete values[name];
  const optional = Object.keys(values).filter((name) => !required.includes(name));
  const withKeys = (given: typeof values, requiredKeys: string[]) =>
    fc.record(given, { requiredKeys, noNullPrototype: true });
  const named =
    optional.length <= most
      ? withKeys(values, required)
      : fc.shuffledSubarray(optional, { maxLength: most }).chain((chosen) => {
          const keys = [...required, ...chosen];
          return withKeys(
            Object.fromEntries(Object.entries(values).filter(([name]) => keys.includes(name))),
            keys,
          );
        });
  const others = sparing
    ? undefined
    : furtherProperties(context, alternative, make, { known: possible, least });
  const whole = others ? fc.tuple(named, others).map(([own, more]) => ({ ...more, ...own })) : named;
  return whole.map((value) => withDependents(alternative, value, values, make));
}

/** Generates properties that the schemas do not name; undefined if no such property is allowed. */
function furtherProperties(
  context: SchemaContext,
  alternative: Alternative,
  make: MakeValues,
  { known, least }: { known: string[]; least: number },
): fc.Arbitrary<Record<string, unknown>> | undefined {
  const patterns = alternative.flatMap((schema) => Object.keys(schema.patternProperties ?? {}));
  const isFree = (name: string) =>
    !known.includes(name) && name !== '__proto__' && allowsName(context, alternative, name);
  const sampleNames = (of: () => fc.Arbitrary<unknown>): string[] =>
    (tryGenerate(() => fc.sample(of(), { numRuns: Math.max(20, 5 * least), seed: 1 })) ?? [])
      .map(String)
      .filter(isFree);
  const shapes = alternative.flatMap(({ propertyNames: shape }): JsonSchema[] =>
    shape === undefined ? [] : [shape],
  );
  const usual = sampleNames(() => textsMatching('^[a-z_]{1,8}$'));
  const others =
    usual.length > 0 || shapes.length === 0
      ? usual
      : sampleNames(() => make([{ type: 'string' }, ...shapes]));
  const named = patterns.map((pattern) => sampleNames(() => textsMatching(pattern)));
  const pairs = [...named, others].flatMap((sample) => {
    const schemas: JsonSchema[] | undefined =
      sample[0] === undefined ? undefined : schemasOfProperty(alternative, sample[0]);
    if (!schemas || !haveAlternatives(context, schemas)) return [];
    const values = tryGenerate(() => make(schemas));
    return values ? [fc.tuple(fc.constantFrom(...sample), values)] : [];
  });
  if (pairs.length === 0) return undefined;
  const needed = least - known.length;
  const some = fc.uniqueArray(fc.oneof(...pairs), {
    minLength: Math.max(0, needed),
    maxLength: Math.max(2, needed),
    selector: ([name]) => name,
  });
  const none = fc.constant([]);
  // Half of the maps have entries, so that entries of nested maps occur, too.
  const isMap = alternative.some(({ additionalProperties }) => typeof additionalProperties === 'object');
  const weight = needed > 0 || patterns.length > 0 ? 0 : isMap ? 1 : 9;
  return fc.oneof({ arbitrary: none, weight }, { arbitrary: some, weight: 1 }).map(Object.fromEntries);
}

const dependentsIn = (alternative: Alternative): [name: string, needed: readonly string[]][] =>
  alternative.flatMap((schema) => Object.entries(schema.dependentRequired ?? {}));

/** Adds the properties that `dependentRequired` requires. Their values are constant, so that shrinking works. */
function withDependents(
  alternative: Alternative,
  value: Record<string, unknown>,
  values: Record<string, fc.Arbitrary<unknown>>,
  make: MakeValues,
): Record<string, unknown> {
  const rules = dependentsIn(alternative);
  if (rules.length === 0) return value;
  const whole = { ...value };
  for (let before = -1; before !== Object.keys(whole).length; ) {
    before = Object.keys(whole).length;
    for (const [name, needed] of rules)
      for (const each of Object.hasOwn(whole, name) ? needed : [])
        if (!Object.hasOwn(whole, each)) {
          const [made] = fc.sample(ownOf(values, each) ?? make(schemasOfProperty(alternative, each)), {
            numRuns: 1,
            seed: 1,
          });
          defineOwn(whole, each, made);
        }
  }
  return whole;
}
