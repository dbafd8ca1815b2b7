import { isObject, listOf } from '../../../../server/lib/json-object.ts';
import type { Context, LintRule, Node } from '../rule.ts';

/** Request schemas allow no unknown properties, at any depth (D15). */
export const requestSchemasClosed: LintRule = () => ({
  RequestBody: {
    MediaType(media, { report, location, resolve }) {
      const find = placeFinder(resolve);
      for (const place of find(media.schema, location.source.absoluteRef, ''))
        report({
          message: `Close ${place || 'the body'}: unevaluatedProperties: false, or items: a schema`,
          location: location.child('schema').key(),
        });
    },
  },
});

/** A schema and the file to which its references are relative. */
interface Part {
  schema: unknown;
  file: string;
}

/**
 * Creates a search for objects that allow unknown properties, and arrays that allow any item.
 * @returns a function that returns JSON Pointers into the body
 */
function placeFinder(resolve: Context['resolve']) {
  const seen = new Set<Node>();

  function follow({ schema: given, file }: Part): Part {
    const { node, location } = resolve(given, file);
    // Only a reference leads into another file. For other nodes, Redocly returns the location of the visited node.
    const refers = isObject(given) && '$ref' in given;
    return { schema: node, file: refers ? (location?.source.absoluteRef ?? file) : file };
  }

  /** Returns a schema and all schemas combined with it (`allOf`, `oneOf`, `anyOf`, `if`). */
  function partsOf(part: Part): (Part & { schema: Node })[] {
    const { schema, file } = part;
    if (!isObject(schema)) return [];
    const branches = [
      schema.allOf,
      schema.oneOf,
      schema.anyOf,
      [schema.if, schema.then, schema.else],
    ].flatMap(listOf);
    const inner = branches.filter(isObject).flatMap((branch) => partsOf(follow({ schema: branch, file })));
    return [{ schema, file }, ...inner];
  }

  function isClosed({ schema, file }: Part): boolean {
    if (!isObject(schema)) return schema === false;
    if (!letsIn(schema, 'object') || schema.additionalProperties === false) return true;
    if (schema.unevaluatedProperties === false && schema.additionalProperties === undefined) return true;
    const choices = [...listOf(schema.oneOf), ...listOf(schema.anyOf)];
    // A schema is closed if all its branches are, and it adds no properties of its own.
    const addsNothing = !isObject(schema.properties) && listOf(schema.allOf).length === 0;
    return (
      choices.length > 0 &&
      addsNothing &&
      choices.every((choice) => isClosed(follow({ schema: choice, file })))
    );
  }

  return function find(given: unknown, from: string, location: string): string[] {
    const whole = follow({ schema: given, file: from });
    if (!isObject(whole.schema)) return whole.schema === false ? [] : [location];
    if (seen.has(whole.schema)) return [];
    seen.add(whole.schema);
    const parts = partsOf(whole);
    const hasItems = parts.some(({ schema }) => 'items' in schema || schema.unevaluatedItems === false);
    const takesLists = letsIn(whole.schema, 'array') && [whole.schema.type].flat().includes('array');
    return [
      ...(isClosed(whole) ? [] : [location]),
      ...(takesLists && !hasItems ? [`${location}/0`] : []),
      ...parts.flatMap(({ schema, file }) => [
        ...Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([name, property]) =>
          find(property, file, `${location}/${name}`),
        ),
        ...listOf(schema.prefixItems).flatMap((item, index) => find(item, file, `${location}/${index}`)),
        ...('items' in schema ? find(schema.items, file, `${location}/0`) : []),
      ]),
    ];
  };
}

/** Whether a schema allows a type. A schema without `type` allows all types, unless it has `enum` or `const`. */
function letsIn(schema: Node, type: string): boolean {
  if (schema.type !== undefined) return [schema.type].flat().includes(type);
  return !('enum' in schema || 'const' in schema);
}
