import { isObject, type Node, type Rule } from '../rule.ts';

/** A request body refuses what it does not know (D15), so its objects must be closed. */
export const requestsClosed: Rule = () => ({
  RequestBody: {
    Schema(schema, { report, location }) {
      if (!describesObject(schema) || isPart(location.pointer)) return;
      if (schema.unevaluatedProperties === false || schema.additionalProperties === false) return;
      report({ message: 'Close this object: unevaluatedProperties: false', location: location.key() });
    },
  },
});

const describesObject = (schema: Node): boolean =>
  [schema.type].flat().includes('object') || isObject(schema.properties);

/** A branch may stay open: the schema that puts the branches together closes them. */
const isPart = (pointer: string): boolean => /\/(allOf|anyOf|oneOf|if|then|else)(\/\d+)?$/.test(pointer);
