import { idsIn, resourceTypeOf } from '../requests/resource-ids.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import type { ResourceTypeOf } from './ids-by-name.ts';

/** Returns functions that find resource types and IDs by the `x-id-of` of a document's schemas. */
export function resourceTypesOf(context: SchemaContext): ResourceTypeOf {
  return {
    parameter: ({ parameters }, name) => {
      const found = parameters.find((each) => each.in === 'path' && each.name === name);
      return found && resourceTypeOf(context, found.schema);
    },
    inBody: ({ responses }, { status }, body) =>
      (responses[String(status)]?.types ?? []).flatMap(({ schema }) => idsIn(context, schema, body)),
  };
}
