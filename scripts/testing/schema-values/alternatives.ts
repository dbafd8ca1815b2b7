import { isKnownFormat } from './formats.ts';
import { type JsonSchema, type JsonType, type SchemaObject, typeOf } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/** One way to satisfy a schema: schemas that must all hold. */
export interface Alternative {
  /** Schema objects without their references and combinations. */
  conjuncts: SchemaObject[];
  /** Whether Ajv has to filter the values. */
  sieve: boolean;
}

// Combinations of choices grow fast; omissions are noted.
const maxAlternatives = 256;

/** Returns every way to satisfy several schemas at the same time; none if that is impossible. */
export function alternativesOf(context: SchemaContext, schemas: readonly JsonSchema[]): Alternative[] {
  return together(
    context,
    schemas.map((schema) => expand(context, schema, [])),
  );
}

function together(context: SchemaContext, parts: Alternative[][]): Alternative[] {
  return parts.reduce<Alternative[]>(
    (whole, part) =>
      spread(
        context,
        whole.flatMap((left) =>
          part.map((right) => ({
            conjuncts: [...left.conjuncts, ...right.conjuncts],
            sieve: left.sieve || right.sieve,
          })),
        ),
      ),
    [{ conjuncts: [], sieve: false }],
  );
}

/** As many as can be dealt with, from the first to the last. */
function spread(context: SchemaContext, all: Alternative[]): Alternative[] {
  if (all.length <= maxAlternatives) return all;
  context.notes.add(`Of ${all.length} combinations of choices ${maxAlternatives} are tried.`);
  return Array.from(
    { length: maxAlternatives },
    (_, index) => all[Math.floor((index * all.length) / maxAlternatives)],
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
  alternatives.map(({ conjuncts }) => ({ conjuncts, sieve: true }));

function expand(context: SchemaContext, schema: JsonSchema, within: readonly SchemaObject[]): Alternative[] {
  if (schema === true) return [{ conjuncts: [], sieve: false }];
  if (schema === false) return [];
  if (within.includes(schema))
    throw new Error('A schema refers to itself without going further into the value.');
  const path = [...within, schema];
  const inner = (each: JsonSchema) => expand(context, each, path);
  const parts: Alternative[][] = [
    [{ conjuncts: [schema], sieve: isUndecided(schema) }],
    ...(schema.$ref === undefined ? [] : [inner(context.resolve(schema.$ref))]),
    ...(schema.allOf ?? []).map((each) => inner(each)),
    ...(schema.anyOf === undefined ? [] : [schema.anyOf.flatMap((each) => inner(each))]),
    ...(schema.oneOf === undefined ? [] : [sieved(schema.oneOf.flatMap((each) => inner(each)))]),
    ...(schema.if === undefined ? [] : [conditional(context, schema, schema.if, inner)]),
    ...Object.entries(schema.dependentSchemas ?? {}).map(([name, each]) => [
      ...together(context, [[{ conjuncts: [{ required: [name] }], sieve: false }], inner(each)]),
      { conjuncts: [{ properties: { [name]: false } }], sieve: false },
    ]),
  ];
  return together(context, parts);
}

function conditional(
  context: SchemaContext,
  schema: SchemaObject,
  condition: JsonSchema,
  inner: (each: JsonSchema) => Alternative[],
): Alternative[] {
  return [
    ...together(context, [inner(condition), inner(schema.then ?? true)]),
    // That the condition does not hold is left to Ajv.
    ...sieved(inner(schema.else ?? true)),
  ];
}

const every: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** The types that all pieces allow; `integer` alone where numbers must be whole. */
export function allowedTypes({ conjuncts }: Alternative): JsonType[] {
  return every.filter((type) =>
    conjuncts.every((schema) => {
      if (schema.type === undefined) return true;
      const allowed = [schema.type].flat();
      return allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
    }),
  );
}

/** The values that `enum` and `const` leave; undefined where neither is there. */
export function listedValues(context: SchemaContext, { conjuncts }: Alternative): unknown[] | undefined {
  const lists = conjuncts.flatMap((schema) => [
    ...(schema.enum ? [schema.enum] : []),
    ...('const' in schema ? [[schema.const]] : []),
  ]);
  const [first] = lists.toSorted((a, b) => a.length - b.length);
  return first?.filter((value) => conjuncts.every((schema) => context.isValid(schema, value)));
}

/** Whether a value has one of some types; a whole number is a number, too. */
export const hasType = (types: readonly JsonType[], value: unknown): boolean =>
  types.includes(typeOf(value)) || (typeOf(value) === 'integer' && types.includes('number'));

/** The schemas that a property has to fit; undefined where no piece says anything of it. */
export function schemasOfProperty({ conjuncts }: Alternative, name: string): JsonSchema[] {
  const known = new Set(conjuncts.flatMap((schema) => Object.keys(schema.properties ?? {})));
  return conjuncts.flatMap((schema) => {
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
export function schemasOfItem({ conjuncts }: Alternative, index: number): JsonSchema[] {
  return conjuncts.flatMap((schema) => {
    const tuple = schema.prefixItems ?? [];
    if (index < tuple.length) return [tuple[index] ?? true];
    if (schema.items !== undefined) return [schema.items];
    const isKnown = conjuncts.some(
      (other) => other.items !== undefined || index < (other.prefixItems?.length ?? 0),
    );
    return schema.unevaluatedItems === undefined || isKnown ? [] : [schema.unevaluatedItems];
  });
}
