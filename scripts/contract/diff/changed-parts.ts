import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { targetOf } from '../../lib/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { isOpenEnum } from '../model/reader-view.ts';
import { resolveSide, type SchemaSide } from './schema-side.ts';

/** Keywords that relate the properties of an object, so that none of them is left out. */
const relating = /^(allOf|anyOf|oneOf|not|if|then|else|dependent\w+|m(in|ax)Properties|\$ref)$/;

/** Maximum nesting depth in which properties are left out. */
const maxDepth = 8;

/**
 * Returns a schema without the optional properties that are the same in another version. All its values are valid in
 * the schema, and what the versions decide differently is found in fewer and smaller of them.
 */
export function changedParts(side: SchemaSide, other: SchemaSide, depth = 0): JsonSchema {
  const [schema, against] = [resolveSide(side), resolveSide(other)];
  if (!isObject(schema) || !isObject(against) || depth > maxDepth) return side.schema;
  const inside = (one: JsonSchema, two: JsonSchema): JsonSchema =>
    changedParts({ ...side, schema: one }, { ...other, schema: two }, depth + 1);
  const items =
    schema.items !== undefined && against.items !== undefined
      ? { items: inside(schema.items, against.items) }
      : {};
  return { ...schema, ...items, ...propertiesOf(schema, against, inside, [side.context, other.context]) };
}

function propertiesOf(
  schema: SchemaObject,
  against: SchemaObject,
  inside: (one: JsonSchema, two: JsonSchema) => JsonSchema,
  [context, otherContext]: [SchemaContext, SchemaContext],
): Pick<SchemaObject, 'properties'> {
  const isRelated = [schema, against].some((each) => Object.keys(each).some((word) => relating.test(word)));
  if (schema.properties === undefined || isRelated) return {};
  const kept = Object.entries(schema.properties).flatMap(([name, property]): [string, JsonSchema][] => {
    const known = ownOf(against.properties, name);
    if (known === undefined) return [[name, property]];
    const isSame = textOf(context, property) === textOf(otherContext, known);
    const isNeeded = [schema, against].some(({ required }) => required?.includes(name));
    if (isSame) return isNeeded ? [[name, property]] : [];
    return [[name, inside(property, known)]];
  });
  return { properties: Object.fromEntries(kept) };
}

/**
 * Returns the text of a schema and of everything that it refers to, without what the views of writers and readers change:
 * whether an object is closed, and the values of open enumerations.
 */
function textOf(context: SchemaContext, schema: JsonSchema): string {
  const seen = new Set<string>();
  const texts: string[] = [];
  const add = (node: unknown): void => {
    texts.push(
      JSON.stringify(node, (key, value: unknown) => {
        if (key === 'unevaluatedProperties' || (key === 'additionalProperties' && value === false))
          return undefined;
        if (isObject(value) && isOpenEnum(value)) return { ...value, enum: undefined };
        if (key === '$ref' && typeof value === 'string' && !seen.has(value)) {
          seen.add(value);
          add(targetOf(context.document, value));
        }
        return value;
      }),
    );
  };
  add(schema);
  return texts.join('\n');
}
