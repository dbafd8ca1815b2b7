import { isObject } from '../../../server/lib/json-object.ts';
import { followReferences, isPureReference, resolvePointer, targetOf } from '../../lib/json-pointer.ts';
import { typesOfKeyword } from '../../testing/schema-values/keywords.ts';
import { isSchema, type JsonSchema, type SchemaObject, typeOf } from '../../testing/schema-values/schema.ts';
import { createSchemaContext, type SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { type Contract, createContract } from '../model/contract.ts';
import { withSchemas } from '../model/reader-view.ts';
import { mergeAllOf } from './normalize-all-of.ts';
import type { SchemaLocation } from './schema-locations.ts';
import type { WorkBudget } from './work-budget.ts';

/** A normalized schema with the context of its document, which follows its references and decides about values. */
export interface SchemaSide {
  context: SchemaContext;
  schema: JsonSchema;
}

/** Returns the context of a contract's schemas. @param budget limits the work with its values (default: no limit) */
export const contextOf = ({ document }: Contract, budget?: WorkBudget): SchemaContext =>
  createSchemaContext(document, budget && { assertTime: budget.countParts, onWork: budget.countValidation });

/** Returns the schema at a location; undefined if it does not exist. */
export function sideAt(
  context: SchemaContext,
  { pointer }: Pick<SchemaLocation, 'pointer'>,
): SchemaSide | undefined {
  const schema = resolvePointer(context.document, pointer);
  return isSchema(schema) ? { context, schema } : undefined;
}

/** Returns a contract with other schemas. @param shared replaces those of components */
export const withOtherSchemas = (
  { document }: Contract,
  change: (schema: JsonSchema) => JsonSchema,
  shared = change,
): Contract => createContract({ ...document, ...withSchemas({ ...document }, change, shared) });

/**
 * Follows the references of a schema that consists only of a reference. The keyword that closes an object may stand beside
 * it.
 */
export function resolveSide({ context, schema }: SchemaSide): JsonSchema {
  const { unevaluatedProperties, ...rest } = isObject(schema) ? schema : {};
  if (rest.$ref !== undefined && unevaluatedProperties !== undefined) {
    const target = resolveSide({ context, schema: rest });
    const isOpen =
      isObject(target) && target.$ref === undefined && target.unevaluatedProperties === undefined;
    return isOpen ? { ...target, unevaluatedProperties } : schema;
  }
  const resolve = (reference: string) => targetOf(context.document, reference) ?? true;
  const { node } = followReferences(schema, resolve, '', isPureReference);
  const target = isSchema(node) ? node : true;
  if (allowsAll(target)) return true;
  // How a normalized schema rejects every value.
  return isObject(target) && Object.keys(target).length === 1 && allowsAll(target.not) ? false : target;
}

/** Keywords that can affect which properties of an object count as unevaluated. */
export const inPlace = [
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  '$ref',
  'not',
  'patternProperties',
];

/** Whether an object can have no other properties than those that the schema lists. */
export const isClosed = ({ patternProperties = {}, ...schema }: SchemaObject): boolean =>
  Object.keys(patternProperties).length === 0 &&
  (schema.additionalProperties === false ||
    (schema.unevaluatedProperties === false && !inPlace.some((word) => word in schema)));

/** Returns the types that a schema lists. */
export const typesOf = ({ type }: SchemaObject): string[] => [type ?? []].flat();

/** Whether a normalized schema allows every value. */
export const allowsAll = (schema: unknown): boolean => isObject(schema) && Object.keys(schema).length === 0;

/**
 * Returns the branches of a schema's `anyOf` or `oneOf`, merged with the other keywords of the schema. Every value of the
 * schema matches at least one of them.
 * @returns undefined if the schema has neither keyword
 */
export function branchesOf(context: SchemaContext, schema: SchemaObject): JsonSchema[] | undefined {
  const word = (['oneOf', 'anyOf'] as const).find((each) => Array.isArray(schema[each]));
  if (word === undefined) return undefined;
  const { [word]: branches = [], discriminator: _, ...rest } = schema;
  return branches.map((branch) => {
    const target = resolveSide({ context, schema: branch });
    if (!Object.keys(rest).some((each) => isObject(target) && each in target))
      return isObject(target) ? { ...rest, ...target } : branch;
    // What other branches evaluate counts, too.
    const isClosedAround = 'unevaluatedProperties' in rest || 'unevaluatedItems' in rest;
    return isClosedAround ? branch : mergeAllOf({ allOf: [rest, target] }, () => undefined);
  });
}

/** Whether a keyword can affect values of a schema's types. */
export function mayApply(keyword: string, { type }: SchemaObject): boolean {
  const types = typesOfKeyword(keyword);
  return types === undefined || type === undefined || [type].flat().some((each) => types.test(each));
}

/** Keywords that express the same bound. */
const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
];

/** Returns the other keyword for a bound of numbers. */
export const otherBound = (word: string): string | undefined =>
  bounds.find((pair) => pair.includes(word))?.find((each) => each !== word);

/** Splits a schema with several types into one schema for each type. */
export function byType({ type, ...rest }: SchemaObject): SchemaObject[] | undefined {
  if (!Array.isArray(type) || type.length < 2) return undefined;
  return type.map((each) => {
    const fits = (value: unknown) =>
      typeOf(value) === each || (each === 'number' && typeof value === 'number');
    return { ...rest, type: each, ...(rest.enum ? { enum: rest.enum.filter(fits) } : {}) };
  });
}
