import type { HandlerResponse, ValidatedInput } from '../../../server/pipeline/exchange.ts';
import type { TestedOperation } from '../../testing/requests/operations.ts';
import { resourceTypeOf, schemaProperties } from '../../testing/requests/resource-ids.ts';
import { isObject, type JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';

/** Replaces IDs in a response body with the IDs in the request's path that have the same resource type (`x-id-of`). */
export function withRequestedId(
  context: SchemaContext,
  { parameters }: TestedOperation,
  schema: JsonSchema,
  { path }: ValidatedInput,
  body: unknown,
): HandlerResponse['body'] {
  if (!isObject(body)) return body;
  const requested = parameters.flatMap((parameter) => {
    const kind = parameter.in === 'path' ? resourceTypeOf(context, parameter.schema) : undefined;
    return kind === undefined ? [] : [{ kind, id: path[parameter.name] }];
  });
  const named = Object.entries(schemaProperties(context, schema)).flatMap(([name, property]) => {
    const kind = resourceTypeOf(context, property);
    const found = kind === undefined ? undefined : requested.find((each) => each.kind === kind);
    return found && name in body ? [[name, found.id]] : [];
  });
  return { ...body, ...Object.fromEntries(named) };
}
