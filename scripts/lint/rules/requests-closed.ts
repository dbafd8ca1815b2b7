import { isObject, listOf, type Node, type Rule } from '../rule.ts';

/** A request body refuses what it does not know (D15), so its objects must be closed. */
export const requestsClosed: Rule = () => ({
  RequestBody: {
    Schema(schema, { report, location, resolve }) {
      if (isPart(location.pointer) || isClosed(schema, (node) => resolve(node).node)) return;
      report({ message: 'Close this: unevaluatedProperties: false', location: location.key() });
    },
  },
});

/** Whether no object that a schema lets in can hold a property that nobody has named. */
function isClosed(schema: Node, follow: (node: unknown) => unknown): boolean {
  if (schema.unevaluatedProperties === false || schema.additionalProperties === false) return true;
  if (!letsObjectsIn(schema)) return true;
  const branches = [...listOf(schema.oneOf), ...listOf(schema.anyOf)].map(follow);
  // Branches that are closed themselves close a schema that adds nothing to them.
  const addsNothing = !isObject(schema.properties) && listOf(schema.allOf).length === 0;
  return (
    branches.length > 0 &&
    addsNothing &&
    branches.every((branch) => isObject(branch) && isClosed(branch, follow))
  );
}

/** A schema without a type, without values and without a reference lets everything in. */
function letsObjectsIn(schema: Node): boolean {
  if (schema.type !== undefined) return [schema.type].flat().includes('object');
  return !('enum' in schema || 'const' in schema || '$ref' in schema);
}

/** A branch is judged with the schema that puts the branches together. */
const isPart = (pointer: string): boolean => /\/(allOf|anyOf|oneOf|if|then|else|not)(\/\d+)?$/.test(pointer);
