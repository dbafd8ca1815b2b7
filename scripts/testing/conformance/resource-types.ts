import type { TestedOperation } from '../requests/operations.ts';
import { idsIn, type ResourceId, resourceTypeOf } from '../requests/resource-ids.ts';
import type { HttpResponse } from '../requests/send.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';

/** The resource types of path parameters and response bodies. */
export interface ResourceTypeOf {
  parameter: (operation: TestedOperation, name: string) => string | undefined;
  /** Returns the values in a body whose schemas have `x-id-of`. */
  inBody: (operation: TestedOperation, response: HttpResponse, body: unknown) => ResourceId[];
}

/** Returns functions that find resource types and IDs by the `x-id-of` of a document's schemas. */
export function resourceTypesOf(context: SchemaContext): ResourceTypeOf {
  return {
    parameter: ({ parameters }, name) => {
      const found = parameters.find((each) => each.in === 'path' && each.name === name);
      return found && resourceTypeOf(context, found.schema);
    },
    inBody: ({ responses }, { status }, body) =>
      (responses[String(status)]?.content ?? []).flatMap(({ schema }) => idsIn(context, schema, body)),
  };
}
