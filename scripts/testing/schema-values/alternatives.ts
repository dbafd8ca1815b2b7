import { isKnownFormat } from './formats.ts';
import { type JsonType, type Schema, type SchemaObject, typeOf } from './schema.ts';
import type { World } from './schema-context.ts';

/** One way to fit a schema: pieces that hold together. */
export interface Alternative {
  /** Schema objects, each apart from the schemas that it refers to or is combined of. */
  pieces: SchemaObject[];
  /** Whether pieces alone do not decide: Ajv has to. */
  sieve: boolean;
}

// Products of choices grow fast; that some are left out is noted.
const mostAlternatives = 256;

/** Every way to fit all of some schemas at once; none where nothing fits. */
export function alternativesOf(world: World, schemas: readonly Schema[]): Alternative[] {
  return together(
    world,
    schemas.map((schema) => expand(world, schema, [])),
  );
}

function together(world: World, parts: Alternative[][]): Alternative[] {
  return parts.reduce<Alternative[]>(
    (whole, part) =>
      spread(
        world,
        whole.flatMap((left) =>
          part.map((right) => ({
            pieces: [...left.pieces, ...right.pieces],
            sieve: left.sieve || right.sieve,
          })),
        ),
      ),
    [{ pieces: [], sieve: false }],
  );
}

/** As many as can be dealt with, from the first to the last. */
function spread(world: World, all: Alternative[]): Alternative[] {
  if (all.length <= mostAlternatives) return all;
  world.notes.add(`Of ${all.length} combinations of choices ${mostAlternatives} are tried.`);
  return Array.from(
    { length: mostAlternatives },
    (_, place) => all[Math.floor((place * all.length) / mostAlternatives)],
  ).flatMap((each) => each ?? []);
}

// What pieces are not built to fit, or only one by one.
const undecided = [
  'not',
  'multipleOf',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  'maxContains',
  'minProperties',
  'maxProperties',
  'dependentRequired',
];

const isUndecided = (schema: SchemaObject): boolean =>
  undecided.some((word) => schema[word] !== undefined) ||
  (schema.format !== undefined && !isKnownFormat(schema.format));

const sieved = (alternatives: Alternative[]): Alternative[] =>
  alternatives.map(({ pieces }) => ({ pieces, sieve: true }));

function expand(world: World, schema: Schema, within: readonly SchemaObject[]): Alternative[] {
  if (schema === true) return [{ pieces: [], sieve: false }];
  if (schema === false) return [];
  if (within.includes(schema))
    throw new Error('A schema refers to itself without going further into the value.');
  const path = [...within, schema];
  const inner = (each: Schema) => expand(world, each, path);
  const parts: Alternative[][] = [
    [{ pieces: [schema], sieve: isUndecided(schema) }],
    ...(schema.$ref === undefined ? [] : [inner(world.resolve(schema.$ref))]),
    ...(schema.allOf ?? []).map((each) => inner(each)),
    ...(schema.anyOf === undefined ? [] : [schema.anyOf.flatMap((each) => inner(each))]),
    ...(schema.oneOf === undefined ? [] : [sieved(schema.oneOf.flatMap((each) => inner(each)))]),
    ...(schema.if === undefined ? [] : [conditional(world, schema, schema.if, inner)]),
    ...Object.entries(schema.dependentSchemas ?? {}).map(([name, each]) => [
      ...together(world, [[{ pieces: [{ required: [name] }], sieve: false }], inner(each)]),
      { pieces: [{ properties: { [name]: false } }], sieve: false },
    ]),
  ];
  return together(world, parts);
}

function conditional(
  world: World,
  schema: SchemaObject,
  condition: Schema,
  inner: (each: Schema) => Alternative[],
): Alternative[] {
  return [
    ...together(world, [inner(condition), inner(schema.then ?? true)]),
    // That the condition does not hold is left to Ajv.
    ...sieved(inner(schema.else ?? true)),
  ];
}

const every: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** The types that all pieces allow; `integer` alone where numbers must be whole. */
export function typesOf({ pieces }: Alternative): JsonType[] {
  return every.filter((type) =>
    pieces.every((schema) => {
      if (schema.type === undefined) return true;
      const allowed = [schema.type].flat();
      return allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
    }),
  );
}

/** The values that `enum` and `const` leave; undefined where neither is there. */
export function listedIn(world: World, { pieces }: Alternative): unknown[] | undefined {
  const lists = pieces.flatMap((schema) => [
    ...(schema.enum ? [schema.enum] : []),
    ...('const' in schema ? [[schema.const]] : []),
  ]);
  const [first] = lists.toSorted((a, b) => a.length - b.length);
  return first?.filter((value) => pieces.every((schema) => world.isValid(schema, value)));
}

/** Whether a value has one of some types; a whole number is a number, too. */
export const hasType = (types: readonly JsonType[], value: unknown): boolean =>
  types.includes(typeOf(value)) || (typeOf(value) === 'integer' && types.includes('number'));

/** The schemas that a property has to fit; undefined where no piece says anything of it. */
export function schemasOfProperty({ pieces }: Alternative, name: string): Schema[] {
  const known = new Set(pieces.flatMap((schema) => Object.keys(schema.properties ?? {})));
  return pieces.flatMap((schema) => {
    const own = Object.hasOwn(schema.properties ?? {}, name) ? [schema.properties?.[name] ?? true] : [];
    const byPattern = Object.entries(schema.patternProperties ?? {})
      .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
      .map(([, each]) => each);
    const named = [...own, ...byPattern];
    if (named.length > 0) return named;
    if (schema.additionalProperties !== undefined) return [schema.additionalProperties];
    // Another piece may have looked at it: that is what `unevaluated` means.
    return schema.unevaluatedProperties === undefined || known.has(name)
      ? []
      : [schema.unevaluatedProperties];
  });
}

/** The schemas that the item at a place has to fit. */
export function schemasOfItem({ pieces }: Alternative, place: number): Schema[] {
  return pieces.flatMap((schema) => {
    const tuple = schema.prefixItems ?? [];
    if (place < tuple.length) return [tuple[place] ?? true];
    if (schema.items !== undefined) return [schema.items];
    const isKnown = pieces.some(
      (other) => other.items !== undefined || place < (other.prefixItems?.length ?? 0),
    );
    return schema.unevaluatedItems === undefined || isKnown ? [] : [schema.unevaluatedItems];
  });
}
