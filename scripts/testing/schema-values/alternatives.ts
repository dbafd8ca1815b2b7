import { selectingSchemas } from './discriminator.ts';
import { exclusiveBranches } from './exclusive-branches.ts';
import { isKnownFormat } from './format-generators.ts';
import { type JsonSchema, type JsonType, type SchemaObject, typeOf } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/** One way to satisfy a schema: a list of schemas that a value must all satisfy. */
export interface Alternative {
  /** Schema objects. Referenced schemas and the chosen branches of combinations are separate items. */
  conjuncts: SchemaObject[];
  /** Whether the compiled schema must filter the generated values, because the generators do not satisfy every keyword. */
  needsFilter: boolean;
}

// Maximum number of combinations of branches, because their number grows fast. A note reports omitted combinations.
const maxAlternatives = 256;

/** Returns at most `maxAlternatives` ways to satisfy several schemas at the same time; empty if that is impossible. */
export function alternativesOf(context: SchemaContext, schemas: readonly JsonSchema[]): Alternative[] {
  return combine(
    context,
    schemas.map((schema) => expand(context, schema, [])),
  );
}

function combine(context: SchemaContext, parts: Alternative[][]): Alternative[] {
  return parts.reduce<Alternative[]>(
    (whole, part) =>
      sampleEvenly(
        context,
        whole.flatMap((left) =>
          part.map((right) => ({
            conjuncts: [...left.conjuncts, ...right.conjuncts],
            needsFilter: left.needsFilter || right.needsFilter,
          })),
        ),
      ),
    [{ conjuncts: [], needsFilter: false }],
  );
}

/** Returns at most `maxAlternatives` of the alternatives, evenly spaced. */
function sampleEvenly(context: SchemaContext, all: Alternative[]): Alternative[] {
  if (all.length <= maxAlternatives) return all;
  context.notes.add(`Of ${all.length} combinations of choices ${maxAlternatives} are tested.`);
  return Array.from(
    { length: maxAlternatives },
    (_, index) => all[Math.floor((index * all.length) / maxAlternatives)],
  ).flatMap((each) => each ?? []);
}

// Keywords that the generators satisfy only partly or not at all, so the compiled schemas filter the values.
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
  (schema.format !== undefined && (schema.pattern !== undefined || !isKnownFormat(schema.format)));

const sieved = (alternatives: Alternative[]): Alternative[] =>
  alternatives.map(({ conjuncts }) => ({ conjuncts, needsFilter: true }));

function expand(context: SchemaContext, schema: JsonSchema, within: readonly SchemaObject[]): Alternative[] {
  if (schema === true) return [{ conjuncts: [], needsFilter: false }];
  if (schema === false) return [];
  if (within.includes(schema)) throw new Error('A schema refers to itself for the same value.');
  const path = [...within, schema];
  const inner = (each: JsonSchema) => expand(context, each, path);
  const parts: Alternative[][] = [
    [{ conjuncts: [schema], needsFilter: isUndecided(schema) }],
    ...(schema.$ref === undefined ? [] : [inner(context.resolve(schema.$ref))]),
    ...(schema.allOf ?? []).map((each) => inner(each)),
    ...(schema.anyOf === undefined ? [] : [branchesOf(context, schema, schema.anyOf, inner)]),
    ...(schema.oneOf === undefined ? [] : [exclusive(context, schema, schema.oneOf, inner)]),
    ...(schema.if === undefined ? [] : [conditional(context, schema, schema.if, inner)]),
    ...Object.entries(schema.dependentSchemas ?? {}).map(([name, each]) => [
      ...combine(context, [[{ conjuncts: [{ required: [name] }], needsFilter: false }], inner(each)]),
      { conjuncts: [{ properties: { [name]: false } }], needsFilter: false },
    ]),
  ];
  return combine(context, parts);
}

/** @param further another schema for each branch, which applies in addition */
function branchesOf(
  context: SchemaContext,
  schema: SchemaObject,
  branches: readonly JsonSchema[],
  inner: (each: JsonSchema) => Alternative[],
  further: readonly JsonSchema[] = [],
): Alternative[] {
  const selecting = selectingSchemas(context, schema, branches);
  return branches.flatMap((branch, index) =>
    combine(
      context,
      [branch, further[index] ?? true, selecting[index] ?? true].map((each) => inner(each)),
    ),
  );
}

const exclusive = (
  context: SchemaContext,
  schema: SchemaObject,
  branches: readonly JsonSchema[],
  inner: (each: JsonSchema) => Alternative[],
): Alternative[] =>
  sieved(branchesOf(context, schema, branches, inner, exclusiveBranches(context, branches)));

function conditional(
  context: SchemaContext,
  schema: SchemaObject,
  condition: JsonSchema,
  inner: (each: JsonSchema) => Alternative[],
): Alternative[] {
  return [
    ...combine(context, [inner(condition), inner(schema.then ?? true)]),
    // The compiled schema checks that the condition does not hold.
    ...sieved(inner(schema.else ?? true)),
  ];
}

const every: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** Returns the types that all schemas allow. A schema that allows `number` also allows `integer`. */
export function allowedTypes({ conjuncts }: Alternative): JsonType[] {
  return every.filter((type) =>
    conjuncts.every((schema) => {
      if (schema.type === undefined) return true;
      const allowed = [schema.type].flat();
      return allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
    }),
  );
}

/** Returns the valid values of `enum` and `const`; undefined if no schema has these keywords. */
export function listedValues(context: SchemaContext, { conjuncts }: Alternative): unknown[] | undefined {
  const lists = conjuncts.flatMap((schema) => [
    ...(schema.enum ? [schema.enum] : []),
    ...('const' in schema ? [[schema.const]] : []),
  ]);
  const [first] = lists.toSorted((a, b) => a.length - b.length);
  return first?.filter((value) => conjuncts.every((schema) => context.isValid(schema, value)));
}

/** Whether a value has one of several types. An integer is a number as well. */
export const hasType = (types: readonly JsonType[], value: unknown): boolean =>
  types.includes(typeOf(value)) || (typeOf(value) === 'integer' && types.includes('number'));

/** Returns the schemas that apply to a property; empty if no schema restricts the property. */
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
    // `unevaluatedProperties` does not apply to a property that another schema evaluates.
    return schema.unevaluatedProperties === undefined || known.has(name)
      ? []
      : [schema.unevaluatedProperties];
  });
}

/** Returns the schemas that apply to an array item. */
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
