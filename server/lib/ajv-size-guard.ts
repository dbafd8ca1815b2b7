/**
 * Skips keywords that can take more than linear time if the value is larger or smaller than its schema allows. With
 * `allErrors`, Ajv would run a pattern on a text that violates `maxLength`.
 */
import { _, type Code, type CodeGen, type KeywordCxt, type Name } from 'ajv';
import { and, or } from 'ajv/dist/compile/codegen/index.js';
import { resolveSchema } from 'ajv/dist/compile/index.js';
import { resolveUrl } from 'ajv/dist/compile/resolve.js';
import { useFunc } from 'ajv/dist/compile/util.js';
import { countCharacters, hasLongName } from './ajv-runtime.ts';

const sizeKeywords = ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties'] as const;

type Sizes = Partial<Record<(typeof sizeKeywords)[number], number>>;

type Emit = (context: KeywordCxt) => void;

/** The sizes that the schemas around a keyword demand of the same value, while the code of a validator is generated. */
const inherited = new WeakMap<CodeGen, { data: Name; sizes: Sizes }>();

/** Returns the sizes that a schema, the parts of its `allOf`, and the schemas to which they refer demand. */
function sizesOf(schema: unknown, context: KeywordCxt, visited = new Set<unknown>()): Sizes {
  if (typeof schema !== 'object' || schema === null || visited.has(schema)) return {};
  visited.add(schema);
  const own = Object.fromEntries(
    Object.entries(schema).filter(
      ([name, limit]) => sizeKeywords.some((keyword) => keyword === name) && typeof limit === 'number',
    ),
  );
  const parts: unknown[] = 'allOf' in schema && Array.isArray(schema.allOf) ? [...schema.allOf] : [];
  // The keyword around a compiled schema of a contract.
  if ('decided' in schema) parts.push(schema.decided);
  if ('$ref' in schema && typeof schema.$ref === 'string') parts.push(targetOf(schema.$ref, context));
  return parts.map((part) => sizesOf(part, context, visited)).reduce<Sizes>(merge, own);
}

/** Returns the schema to which a reference leads. Its function is not compiled yet. */
function targetOf(reference: string, { it: { self, schemaEnv, baseId } }: KeywordCxt): unknown {
  // Schemas that were added by name. Ajv would compile the schema to find it.
  const named = self.schemas[reference];
  if (named) return named.schema;
  const resolved = resolveUrl(self.opts.uriResolver, baseId, reference);
  return resolveSchema.call(self, schemaEnv.root, resolved)?.schema;
}

function merge(one: Sizes, other: Sizes): Sizes {
  const merged = { ...one };
  for (const keyword of sizeKeywords) {
    const limits = [one[keyword], other[keyword]].filter((limit) => limit !== undefined);
    if (limits.length > 0)
      merged[keyword] = keyword.startsWith('max') ? Math.min(...limits) : Math.max(...limits);
  }
  return merged;
}

function demandedSizes(context: KeywordCxt): Sizes {
  const outer = inherited.get(context.gen);
  const sizes = sizesOf(context.parentSchema, context);
  return outer?.data === context.data ? merge(outer.sizes, sizes) : sizes;
}

/** Emits the subschemas of `allOf`, `anyOf` and others, which must not do more than the schema around them allows. */
export const withInheritedSizes =
  (emit: Emit): Emit =>
  (context) => {
    const { gen, data } = context;
    const before = inherited.get(gen);
    inherited.set(gen, { data, sizes: demandedSizes(context) });
    emit(context);
    if (before) inherited.set(gen, before);
    else inherited.delete(gen);
  };

/** Emits a keyword for texts, such as `pattern`, for texts that have an allowed length. */
export const forAllowedLength = (emit: Emit) => guarded(emit, (context) => lengthGuard(context));

/** Emits a keyword for arrays, for those that have an allowed number of items. */
export const forAllowedItems = (emit: Emit) => guarded(emit, (context) => itemsGuard(context));

/** Emits `propertyNames`, for objects with an allowed number of properties. */
export const forAllowedCount = (emit: Emit) => guarded(emit, countGuard);

/** Emits a keyword that runs patterns on names, for objects with an allowed number of names of an allowed length. */
export const forAllowedNames = (emit: Emit) => guarded(emit, namesGuard);

/** Emits a reference, for values of allowed sizes. The schema to which it leads reports the sizes that it demands itself. */
export const forAllowedSizes = (emit: Emit) =>
  guarded(emit, (context) => {
    const own = sizesOf({ $ref: context.schema }, context);
    const sizes: Sizes = Object.fromEntries(
      Object.entries(demandedSizes(context)).filter(
        ([name, limit]) => !sizeKeywords.some((keyword) => keyword === name && own[keyword] === limit),
      ),
    );
    return [
      ...lengthGuard(context, sizes).map((each) => or(_`typeof ${context.data} != "string"`, each)),
      ...itemsGuard(context, sizes).map((each) => or(_`!Array.isArray(${context.data})`, each)),
    ];
  });

const guarded =
  (emit: Emit, conditionsOf: (context: KeywordCxt) => Code[]): Emit =>
  (context) => {
    const conditions = conditionsOf(context);
    if (conditions.length === 0) emit(context);
    else
      context.gen.block(() => {
        context.gen.if(and(...conditions));
        emit(context);
      });
  };

function lengthGuard(context: KeywordCxt, { maxLength, minLength } = demandedSizes(context)): Code[] {
  const { gen, data } = context;
  // A character consists of one or two code units.
  const length = () => _`${useFunc(gen, countCharacters)}(${data})`;
  return [
    ...(maxLength === undefined
      ? []
      : [or(_`${data}.length <= ${maxLength}`, _`${length()} <= ${maxLength}`)]),
    ...(minLength === undefined
      ? []
      : [minLength <= 1 ? _`${data}.length >= ${minLength}` : _`${length()} >= ${minLength}`]),
  ];
}

function itemsGuard(context: KeywordCxt, { maxItems, minItems } = demandedSizes(context)): Code[] {
  return [
    ...(maxItems === undefined ? [] : [_`${context.data}.length <= ${maxItems}`]),
    ...(minItems === undefined ? [] : [_`${context.data}.length >= ${minItems}`]),
  ];
}

function countGuard(context: KeywordCxt): Code[] {
  const { maxProperties } = demandedSizes(context);
  return maxProperties === undefined ? [] : [_`Object.keys(${context.data}).length <= ${maxProperties}`];
}

function namesGuard(context: KeywordCxt): Code[] {
  const { gen, data, parentSchema } = context;
  const { maxLength } = sizesOf(parentSchema.propertyNames, context);
  return [
    ...countGuard(context),
    // Twice, because a character consists of one or two code units.
    ...(maxLength === undefined ? [] : [_`!${useFunc(gen, hasLongName)}(${data}, ${2 * maxLength})`]),
  ];
}
