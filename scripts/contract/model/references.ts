import { type JsonObject, objectOf } from '../../../server/lib/json-object.ts';
import { followReferences, resolveReference } from '../../lib/json-pointer.ts';
import { oncePer } from '../../lib/once.ts';

/** An object of the document, with its location. */
export interface ContractNode {
  node: JsonObject;
  /** JSON Pointer. */
  pointer: string;
  /** The properties next to the references that led to the object, such as a description of its own. */
  siblings: JsonObject;
}

/** Follows the references of a document. */
export interface References {
  /**
   * Returns the target of a reference such as `#/components/schemas/Book`.
   * @throws Error if the target does not exist
   */
  resolve(reference: string): unknown;
  /**
   * Follows a reference, or a chain of references. A node that is not an object becomes an empty one.
   * @param pointer the JSON Pointer to the node
   * @throws Error if a target does not exist
   */
  follow(node: unknown, pointer?: string): ContractNode;
}

/** @param document a bundled document, whose references are all internal; it must not change */
export function createReferences(document: object): References {
  // Thousands of operations have the same parameters and responses.
  const resolve = oncePer((reference: string): unknown => resolveReference(document, reference));
  return {
    resolve,
    follow(given, pointer) {
      const { node, ...found } = followReferences(given, resolve, pointer);
      return { ...found, node: objectOf(node) };
    },
  };
}
