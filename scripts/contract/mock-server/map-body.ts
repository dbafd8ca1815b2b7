import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { JsonSchema, SchemaObject } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';

/** Where a value is in a body. */
export interface Place {
  /** All schemas that apply to the value. */
  schemas: readonly SchemaObject[];
  /** The name of the property, or of the list, that has the value; empty for the body itself. */
  name: string;
  /** Number of lists and objects around the value. */
  depth: number;
}

/** @param original the value before the values inside it were changed */
export type Change = (value: unknown, place: Place, original: unknown) => unknown;

/** Changes of a value: `before` those of the values inside it, and `after` them. */
interface Changes {
  before?: Change;
  after?: Change;
}

/** Changes a body in several steps. Skips steps that would make it invalid. */
export function changeBody(
  context: SchemaContext,
  schema: JsonSchema,
  body: unknown,
  steps: readonly Changes[],
): unknown {
  const place = { schemas: schemasOf(context, [schema]), name: '', depth: 0 };
  return steps.reduce((value, changes) => {
    const next = mapBody(context, place, value, changes);
    return context.isValid(schema, next) ? next : value;
  }, body);
}

/** Changes a value and all values inside it. */
export function mapBody(context: SchemaContext, place: Place, value: unknown, changes: Changes): unknown {
  const { before = (each) => each, after = (each) => each } = changes;
  const { schemas, name, depth } = place;
  const original = before(value, place, value);
  if (Array.isArray(original)) {
    const items = schemas.map((schema) => schema.items);
    const inside = { schemas: schemasOf(context, items), name, depth: depth + 1 };
    return after(
      original.map((item) => mapBody(context, inside, item, changes)),
      place,
      original,
    );
  }
  if (!isObject(original)) return after(original, place, original);
  const members = Object.entries(original).map(([own, each]) => {
    // It says which schema the value has.
    if (schemas.some(({ discriminator }) => objectOf(discriminator).propertyName === own)) return [own, each];
    const inside = { schemas: schemasOfProperty(context, schemas, own), name: own, depth: depth + 1 };
    return [own, mapBody(context, inside, each, changes)];
  });
  return after(Object.fromEntries(members), place, original);
}

/** Returns all schemas that apply to a property of an object. */
export const schemasOfProperty = (
  context: SchemaContext,
  schemas: readonly SchemaObject[],
  name: string,
): SchemaObject[] =>
  schemasOf(
    context,
    schemas.map(({ properties }) => ownOf(properties, name)),
  );

/** Returns schemas, and all schemas that apply to the same value, each once: branches of a union may lead back to it. */
export function schemasOf(
  context: SchemaContext,
  given: readonly (JsonSchema | undefined)[],
  known = new Set<JsonSchema>(),
): SchemaObject[] {
  return given.flatMap((schema) => {
    if (schema === undefined || typeof schema === 'boolean' || known.has(schema)) return [];
    known.add(schema);
    const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
    const others = [...($ref === undefined ? [] : [context.resolve($ref)]), ...allOf, ...anyOf, ...oneOf];
    return [schema, ...schemasOf(context, others, known)];
  });
}
