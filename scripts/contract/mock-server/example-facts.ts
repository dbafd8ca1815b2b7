import type { TestedOperation } from '../../testing/requests/operations.ts';
import { resourceTypeOf, schemaProperties } from '../../testing/requests/resource-ids.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import type { ExampleFacts } from '../mock/personalize.ts';

/**
 * Returns what `personalize` needs to know about a response of an operation; undefined if it has nothing to do.
 * @param schema the schema of its body
 */
export function exampleFactsOf(
  context: SchemaContext,
  { parameters }: Pick<TestedOperation, 'parameters'>,
  schema: JsonSchema,
): ExampleFacts | undefined {
  const inPath = parameters.flatMap(({ in: location, name, schema: ofParameter }) => {
    const kind = location === 'path' ? resourceTypeOf(context, ofParameter) : undefined;
    return kind === undefined ? [] : [{ kind, name }];
  });
  const ids = Object.entries(schemaProperties(context, schema)).flatMap(([property, ofProperty]) => {
    const kind = resourceTypeOf(context, ofProperty);
    const parameter = kind === undefined ? undefined : inPath.find((each) => each.kind === kind);
    return parameter ? [[property, parameter.name]] : [];
  });
  const page = parameters.find(({ in: location, name }) => location === 'query' && name === 'page')?.schema;
  if (ids.length === 0 && page === undefined) return undefined;
  return {
    ids: Object.fromEntries(ids),
    firstPage: page !== undefined && context.isValid(page, 0) ? 0 : 1,
  };
}
