import { isObject } from '../../../server/lib/json-object.ts';
import { mergeOwn, ownOf } from '../../../server/lib/own-property.ts';
import { isPureReference } from '../../lib/json-pointer.ts';
import { oncePerOwner } from '../../lib/once.ts';
import { selectingHeir, selectingSchemas } from './discriminator.ts';
import { isKnownFormat } from './format-generators.ts';
import { objectSchema, resolved } from './object-schema.ts';
import { canonicalJson, type JsonSchema, type JsonType, type SchemaObject, typeOf } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/** One way to satisfy a schema: the schemas that a value must all satisfy, with referenced ones and chosen branches. */
export type Alternative = readonly SchemaObject[];

/** The least and the greatest allowed number, length or count. */
export interface Range {
  min: number;
  max: number;
}

/** Returns the range of lengths or counts that two keywords allow. */
export const rangeOf = (
  alternative: Alternative,
  least: 'minLength' | 'minItems',
  most: 'maxLength' | 'maxItems',
): Range => ({
  min: Math.max(0, ...alternative.map((schema) => schema[least] ?? 0)),
  max: Math.min(Infinity, ...alternative.map((schema) => schema[most] ?? Infinity)),
});

// Maximum number of combinations of branches, because their number grows fast. A note reports omitted combinations.
const maxAlternatives = 256;

/** Of more branches with a discriminator, values may match several. The discriminator selects one. */
const maxExclusive = 60;

/** Returns at most `maxAlternatives` ways to satisfy several schemas at the same time; empty if that is impossible. */
export function alternativesOf(context: SchemaContext, schemas: readonly JsonSchema[]): Alternative[] {
  return combine(
    context,
    withoutRepetition(schemas).map((schema) => expanded(context, schema)),
  );
}

/** Whether there is a way to satisfy several schemas at the same time, which keywords of it can still prevent. */
export const haveAlternatives = (context: SchemaContext, schemas: readonly JsonSchema[]): boolean =>
  schemas.every((schema) => expanded(context, schema).length > 0);

/** Returns what two schemas have in common if they are the same: the schema object, or what a pure reference names. */
export const identityOf = (schema: JsonSchema): JsonSchema | string =>
  isObject(schema) && schema.$ref !== undefined && isPureReference(schema) ? schema.$ref : schema;

/** Combines a schema with others only once: branches of a recursive union often refer to the same one. */
export const withoutRepetition = (schemas: readonly JsonSchema[]): JsonSchema[] => [
  ...new Map(schemas.map((schema) => [identityOf(schema), schema])).values(),
];

// A recursive union is expanded at each of its locations.
const expanded = oncePerOwner((context: SchemaContext, schema: JsonSchema) => expand(context, schema, []));

/** Returns at most `maxAlternatives` combinations of an alternative of each part, evenly spaced. */
const combine = (context: SchemaContext, parts: Alternative[][]): Alternative[] =>
  parts.reduce<Alternative[]>(
    (whole, part) => {
      const all = whole.length * part.length;
      const length = Math.min(all, maxAlternatives);
      if (all > length) context.notes.add(`Of ${all} combinations of choices ${maxAlternatives} are tested.`);
      return Array.from({ length }, (_, index) => {
        const at = Math.floor((index * all) / length);
        return [...(whole[Math.floor(at / part.length)] ?? []), ...(part[at % part.length] ?? [])];
      });
    },
    [[]],
  );

// Keywords that the generators satisfy only partly or not at all.
const undecided = [
  'not',
  'oneOf',
  'if',
  'multipleOf',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  'maxContains',
  'minProperties',
  'maxProperties',
  'dependentRequired',
];

/** Whether the compiled schemas must filter the generated values, because the generators do not satisfy every keyword. */
export const needsFilter = (alternative: Alternative): boolean =>
  alternative.some(
    (schema) =>
      undecided.some((word) => schema[word] !== undefined) ||
      (schema.format !== undefined && (schema.pattern !== undefined || !isKnownFormat(schema.format))),
  );

function expand(context: SchemaContext, schema: JsonSchema, within: readonly SchemaObject[]): Alternative[] {
  if (schema === true) return [[]];
  if (schema === false) return [];
  if (within.includes(schema)) throw new Error('A schema refers to itself for the same value.');
  const path = [...within, schema];
  const inner = (each: JsonSchema) => expand(context, each, path);
  const all = (...schemas: JsonSchema[]) => combine(context, schemas.map(inner));
  /** @param further another schema for each branch, which applies in addition */
  const branchesOf = (branches: readonly JsonSchema[], further: readonly JsonSchema[] = []) => {
    const selecting = selectingSchemas(context, schema, branches);
    return branches.flatMap((branch, index) => all(branch, further[index] ?? true, selecting[index] ?? true));
  };
  const { $ref, allOf = [], anyOf, oneOf, if: condition, dependentSchemas = {} } = schema;
  // Otherwise, each of many branches gets a property for each other one, in quadratic time.
  const isSelected = schema.discriminator !== undefined && (oneOf?.length ?? 0) > maxExclusive;
  const heir = selectingHeir(context, schema);
  // A schema that inherits a discriminator can include another one that does, and a union selects its branches itself.
  const isOuter = () => within.every((each) => !each.discriminator && selectingHeir(context, each) === true);
  return combine(context, [
    [[schema]],
    ...(isObject(heir) && isOuter() ? [[[heir]]] : []),
    ...($ref === undefined ? [] : [inner(context.resolve($ref))]),
    ...allOf.map(inner),
    ...(anyOf === undefined ? [] : [branchesOf(anyOf)]),
    ...(oneOf === undefined ? [] : [branchesOf(oneOf, isSelected ? [] : exclusiveBranches(context, oneOf))]),
    // The compiled schema checks whether the condition holds.
    ...(condition === undefined
      ? []
      : [[...all(condition, schema.then ?? true), ...all(schema.else ?? true)]]),
    ...Object.entries(dependentSchemas).map(([name, each]) => [
      ...all({ required: [name] }, each),
      ...all({ properties: { [name]: false } }),
    ]),
  ]);
}

const every: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** Returns the types that all schemas allow. A schema that allows `number` also allows `integer`. */
export function allowedTypes(alternative: Alternative): JsonType[] {
  return every.filter((type) =>
    alternative.every((schema) => {
      if (schema.type === undefined) return true;
      const allowed = [schema.type].flat();
      return allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
    }),
  );
}

/** Returns the valid values of `enum` and `const`; undefined if no schema has these keywords. */
export function listedValues(context: SchemaContext, alternative: Alternative): unknown[] | undefined {
  const lists = alternative.flatMap((schema) => [
    ...(schema.enum ? [schema.enum] : []),
    ...('const' in schema ? [[schema.const]] : []),
  ]);
  const [first] = lists.toSorted((a, b) => a.length - b.length);
  return first?.filter((value) => alternative.every((schema) => context.isValid(schema, value)));
}

/** Whether a value has one of several types. An integer is a number as well. */
export const hasType = (types: readonly JsonType[], value: unknown): boolean =>
  types.includes(typeOf(value)) || (typeOf(value) === 'integer' && types.includes('number'));

/** Returns the schemas that apply to a property; empty if no schema restricts the property. */
export function schemasOfProperty(alternative: Alternative, name: string): JsonSchema[] {
  // Of thousands of properties, each asks for its schemas, so they are not listed here.
  const isKnown = () => alternative.some((schema) => Object.hasOwn(schema.properties ?? {}, name));
  return alternative.flatMap((schema) => {
    const own = Object.hasOwn(schema.properties ?? {}, name) ? [schema.properties?.[name] ?? true] : [];
    const byPattern = Object.entries(schema.patternProperties ?? {})
      .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
      .map(([, each]) => each);
    const named = [...own, ...byPattern];
    if (named.length > 0) return named;
    if (schema.additionalProperties !== undefined) return [schema.additionalProperties];
    // `unevaluatedProperties` does not apply to a property that another schema evaluates.
    return schema.unevaluatedProperties === undefined || isKnown() ? [] : [schema.unevaluatedProperties];
  });
}

/** Returns the schemas that apply to an array item. */
export function schemasOfItem(alternative: Alternative, index: number): JsonSchema[] {
  return alternative.flatMap((schema) => {
    const tuple = schema.prefixItems ?? [];
    if (index < tuple.length) return [tuple[index] ?? true];
    if (schema.items !== undefined) return [schema.items];
    const isKnown = alternative.some(
      (other) => other.items !== undefined || index < (other.prefixItems?.length ?? 0),
    );
    return schema.unevaluatedItems === undefined || isKnown ? [] : [schema.unevaluatedItems];
  });
}

/**
 * Returns an additional schema for each branch of `oneOf`, so that a value of the branch matches no other branch. If
 * another branch could accept such a value, the schema requires a property of that branch with a wrong type. It is
 * `false` if another branch accepts all values of the branch.
 */
const exclusiveBranches = oncePerOwner((context: SchemaContext, branches: readonly JsonSchema[]) => {
  const objects = branches.map((branch) => objectSchema(context, branch));
  return objects.map((own): JsonSchema => {
    if (!own || [own.additionalProperties, own.unevaluatedProperties].includes(false)) return true;
    const further = objects.map((other) =>
      other && other !== own ? wrongProperty(context, own, other) : {},
    );
    if (further.includes(undefined)) return false;
    const properties = mergeOwn(further);
    return { required: Object.keys(properties), properties };
  });
});

/**
 * Returns a property, with its schema, that keeps the values of `own` from matching `other`. Returns an empty object if
 * none is needed, and undefined if there is no such property.
 */
function wrongProperty(
  context: SchemaContext,
  own: SchemaObject,
  other: SchemaObject,
): Record<string, JsonSchema> | undefined {
  const [required, names] = [own.required ?? [], Object.keys(other.properties ?? {})];
  const differs = (name: string) =>
    canonicalJson(valuesOf(context, ownOf(own.properties, name))) !==
    canonicalJson(valuesOf(context, ownOf(other.properties, name)));
  const shared = names.filter((name) => Object.hasOwn(own.properties ?? {}, name));
  if ((other.required ?? []).some((name) => !required.includes(name))) return {};
  const different = shared.find(differs);
  if (different !== undefined) return { [different]: true };
  for (const name of names.filter((each) => !shared.includes(each))) {
    const wrong = (['boolean', 'string', 'null'] as const).find(
      (type) => !allows(context, ownOf(other.properties, name) ?? true, type),
    );
    if (wrong !== undefined) return { [name]: { type: wrong } };
  }
  return names.length > shared.length ? {} : undefined;
}

/** Returns the keywords that limit the values of a property. */
const valuesOf = (context: SchemaContext, schema: JsonSchema | undefined) => {
  const target = resolved(context, schema ?? true);
  return isObject(target) ? [target.type, target.enum, target.const] : [];
};

const allows = (context: SchemaContext, schema: JsonSchema, type: JsonType): boolean => {
  const target = resolved(context, schema);
  return !isObject(target) || target.type === undefined || [target.type].flat().includes(type);
};
