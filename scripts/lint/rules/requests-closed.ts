import { type Context, isObject, listOf, type Node, type Rule } from '../rule.ts';

/** What is sent must be known to the contract, down to the innermost object (D15). */
export const requestsClosed: Rule = () => ({
  RequestBody: {
    MediaType(media, { report, location, resolve }) {
      for (const place of openPlaces(media.schema, resolve, location.source.absoluteRef))
        report({
          message: `Close ${place || 'the body'}: unevaluatedProperties: false`,
          location: location.child('schema').key(),
        });
    },
  },
});

type Resolve = Context['resolve'];

/** Where a schema lets in objects with properties that nobody has named: JSON Pointers into the body. */
function openPlaces(
  given: unknown,
  resolve: Resolve,
  file: string,
  place = '',
  seen = new Set<Node>(),
): string[] {
  const { node: schema, location } = resolve(given, file);
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  // Only a reference leads into another file; for anything else the linter names where it stands itself.
  const from = isObject(given) && '$ref' in given ? (location?.source.absoluteRef ?? file) : file;
  const inside = [schema, ...branchesOf(schema).map((branch) => resolve(branch, from).node)].filter(isObject);
  return [
    ...(isClosed(schema, (branch) => resolve(branch, from).node) ? [] : [place]),
    ...inside.flatMap((each) =>
      Object.entries(isObject(each.properties) ? each.properties : {}).flatMap(([name, property]) =>
        openPlaces(property, resolve, from, `${place}/${name}`, seen),
      ),
    ),
    ...inside.flatMap((each) =>
      isObject(each.items) ? openPlaces(each.items, resolve, from, `${place}/0`, seen) : [],
    ),
  ];
}

const branchesOf = (schema: Node): unknown[] => [schema.allOf, schema.oneOf, schema.anyOf].flatMap(listOf);

/** Whether no object that a schema lets in can hold a property that nobody has named. */
function isClosed(schema: Node, follow: (node: unknown) => unknown): boolean {
  if (schema.unevaluatedProperties === false || schema.additionalProperties === false) return true;
  if (!letsObjectsIn(schema)) return true;
  const choices = [...listOf(schema.oneOf), ...listOf(schema.anyOf)].map(follow);
  // Choices that are closed themselves close a schema that adds nothing to them.
  const addsNothing = !isObject(schema.properties) && listOf(schema.allOf).length === 0;
  return (
    choices.length > 0 && addsNothing && choices.every((each) => isObject(each) && isClosed(each, follow))
  );
}

/** A schema without a type and without values lets everything in. */
function letsObjectsIn(schema: Node): boolean {
  if (schema.type !== undefined) return [schema.type].flat().includes('object');
  return !('enum' in schema || 'const' in schema);
}
