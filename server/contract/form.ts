import { isObject, type JsonObject, listOf } from '../lib/json-object.ts';
import { mergeOwn, ownOf } from '../lib/own-property.ts';
import type { DocumentedContent } from './operation.ts';

/**
 * Converts the strings of a form (`application/x-www-form-urlencoded`) to the types of its schema. A string that cannot
 * be converted stays as it is, and validation then rejects it.
 * @param form strings by name; lists for names that occur several times
 */
export function coerceForm(
  form: Readonly<Record<string, string | string[] | undefined>>,
  { schema, resolve }: DocumentedContent,
): Record<string, unknown> {
  const properties = propertiesOf(schema, resolve);
  const [undeclared, ...others] = undeclaredOf(schema, resolve);
  const schemaOf = (name: string): unknown =>
    Object.hasOwn(properties, name) || others.length > 0 ? ownOf(properties, name) : undeclared;
  return Object.fromEntries(
    Object.entries(form).map(([name, given]) => [name, convert(given ?? '', schemaOf(name), resolve)]),
  );
}

/** Returns the properties of an object schema, including those of `allOf`, `oneOf` and `anyOf`. */
export function propertiesOf(schema: unknown, resolve: DocumentedContent['resolve'], depth = 0): JsonObject {
  const node = resolve(schema);
  const parts = [node.allOf, node.oneOf, node.anyOf].flatMap((list): unknown[] =>
    Array.isArray(list) ? list : [],
  );
  return mergeOwn([
    ...(depth > 5 ? [] : parts.map((part) => propertiesOf(part, resolve, depth + 1))),
    isObject(node.properties) ? node.properties : {},
  ]);
}

/** Returns the schemas of the properties that an object schema allows without declaring them. */
function undeclaredOf(schema: unknown, resolve: DocumentedContent['resolve'], depth = 0): unknown[] {
  const { additionalProperties, unevaluatedProperties, patternProperties, allOf, oneOf, anyOf } =
    resolve(schema);
  const open = [additionalProperties, unevaluatedProperties].filter(
    (each) => isObject(each) || each === true,
  );
  const byPattern = isObject(patternProperties) ? Object.values(patternProperties) : [];
  const parts = depth > 5 ? [] : [allOf, oneOf, anyOf].flatMap(listOf);
  return [...open, ...byPattern, ...parts.flatMap((part) => undeclaredOf(part, resolve, depth + 1))];
}

function convert(given: string | string[], schema: unknown, resolve: DocumentedContent['resolve']): unknown {
  const node = resolve(schema);
  const types = [node.type ?? []].flat();
  if (types.includes('array')) return [given].flat().map((each) => convert(each, node.items, resolve));
  if (typeof given !== 'string') return given;
  if (
    types.some((type) => type === 'integer' || type === 'number') &&
    /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(given)
  )
    return Number(given);
  if (types.includes('boolean') && /^(true|false)$/.test(given)) return given === 'true';
  // OpenAPI encodes objects in forms as JSON by default.
  return types.includes('object') ? parsed(given) : given;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
