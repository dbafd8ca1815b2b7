/**
 * Skips keywords that can take more than linear time if the value is larger or smaller than its schema allows. With
 * `allErrors`, Ajv would run a pattern on a text that violates `maxLength`.
 */
import { _, type Code, type CodeGen, type KeywordCxt, type Name } from 'ajv';
import { mergeSizes, type SizeLimits, sizesIn } from '../../server/lib/size-limits.ts';
import { allOf, anyOf, runtimeFunction } from './ajv-code.ts';

type Emit = (context: KeywordCxt) => void;

/** The sizes that the schemas around a keyword demand of the same value, while the code of a validator is generated. */
const inherited = new WeakMap<CodeGen, { data: Name; sizes: SizeLimits }>();

/** The schemas that were added to Ajv, by the names with which compiled schemas refer to each other. */
type AddedSchemas = KeywordCxt['it']['self']['schemas'];

const addedIn = ({ it }: KeywordCxt): AddedSchemas => it.self.schemas;

/** Returns the sizes that a schema, the parts of its `allOf`, and the schemas to which they refer demand. */
function sizesOf(schema: unknown, added: AddedSchemas, visited = new Set<unknown>()): SizeLimits {
  if (typeof schema !== 'object' || schema === null || visited.has(schema)) return {};
  visited.add(schema);
  const parts: unknown[] = 'allOf' in schema && Array.isArray(schema.allOf) ? [...schema.allOf] : [];
  // The keyword around a compiled schema of a contract.
  if ('decided' in schema) parts.push(schema.decided);
  // `getSchema` of Ajv would compile the schema.
  if ('$ref' in schema && typeof schema.$ref === 'string') parts.push(added[schema.$ref]?.schema);
  return parts.map((part) => sizesOf(part, added, visited)).reduce<SizeLimits>(mergeSizes, sizesIn(schema));
}

function demandedSizes(context: KeywordCxt): SizeLimits {
  const outer = inherited.get(context.gen);
  const sizes = sizesOf(context.parentSchema, addedIn(context));
  return outer?.data === context.data ? mergeSizes(outer.sizes, sizes) : sizes;
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
    const own = sizesOf({ $ref: context.schema }, addedIn(context));
    const others = Object.entries(demandedSizes(context)).filter(
      ([name, limit]) => Object.getOwnPropertyDescriptor(own, name)?.value !== limit,
    );
    const sizes: SizeLimits = Object.fromEntries(others);
    return [
      ...lengthGuard(context, sizes).map((each) => anyOf(_`typeof ${context.data} != "string"`, each)),
      ...itemsGuard(context, sizes).map((each) => anyOf(_`!Array.isArray(${context.data})`, each)),
    ];
  });

const guarded =
  (emit: Emit, conditionsOf: (context: KeywordCxt) => Code[]): Emit =>
  (context) => {
    const [first, ...others] = conditionsOf(context);
    if (!first) emit(context);
    else
      context.gen.block(() => {
        context.gen.if(allOf(first, ...others));
        emit(context);
      });
  };

function lengthGuard(context: KeywordCxt, { maxLength, minLength } = demandedSizes(context)): Code[] {
  const { gen, data } = context;
  // A character consists of one or two code units.
  const length = () => _`${runtimeFunction(gen, 'countCharacters')}(${data})`;
  return [
    ...(maxLength === undefined
      ? []
      : [anyOf(_`${data}.length <= ${maxLength}`, _`${length()} <= ${maxLength}`)]),
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
  const { maxLength } = sizesOf(parentSchema.propertyNames, addedIn(context));
  return [
    ...countGuard(context),
    // Twice, because a character consists of one or two code units.
    ...(maxLength === undefined
      ? []
      : [_`!${runtimeFunction(gen, 'hasLongName')}(${data}, ${2 * maxLength})`]),
  ];
}
