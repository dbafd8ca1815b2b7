import type { TestedOperation } from '../../testing/requests/operations.ts';
import { resourceTypeOf } from '../../testing/requests/resource-ids.ts';
import { schemaProperties } from '../../testing/schema-values/object-schema.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { type CursorFacts, isCursorName, isNextName } from '../mock/cursor-page.ts';
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
  const cursor = cursorFactsOf(context, parameters, schema);
  if (ids.length === 0 && page === undefined && !cursor) return undefined;
  return {
    ...(cursor ? { cursor } : {}),
    ids: Object.fromEntries(ids),
    firstPage: page !== undefined && context.isValid(page, 0) ? 0 : 1,
  };
}

/** Finds the property with the cursor of the next page, in a body or in an object directly inside of it. */
function cursorFactsOf(
  context: SchemaContext,
  parameters: TestedOperation['parameters'],
  schema: JsonSchema,
): CursorFacts | undefined {
  const parameter = parameters.find(({ in: location, name }) => location === 'query' && isCursorName(name));
  if (!parameter) return undefined;
  const properties = Object.entries(schemaProperties(context, schema));
  const [list] = properties.filter(([, each]) => context.isValid(each, []) || isList(context, each));
  const places = [
    { around: schema, names: [], own: properties },
    ...properties.map(([name, around]) => ({
      ...{ around, names: [name], own: Object.entries(schemaProperties(context, around)) },
    })),
  ];
  for (const { around, names, own } of places) {
    const [name, next] =
      own.find(([each, of]) => isNextName(each) && context.isValid(of, 'mock-1')) ??
      own.find(([each]) => isNextName(each)) ??
      [];
    if (name === undefined || next === undefined || !list) continue;
    const isRequired = typeof around === 'object' && (around.required ?? []).includes(name);
    const last = context.isValid(next, null) ? null : isRequired ? '' : undefined;
    if (last === '' && !context.isValid(next, '')) continue;
    return {
      ...{ parameter: parameter.name, next: [...names, name], last },
      isFree: context.isValid(next, 'mock-1') && context.isValid(parameter.schema, 'mock-1'),
      mayBeEmpty: context.isValid(list[1], []),
    };
  }
  return undefined;
}

const isList = (context: SchemaContext, schema: JsonSchema): boolean =>
  typeof schema === 'object' &&
  ([schema.type].flat().includes('array') ||
    (schema.$ref !== undefined && isList(context, context.resolve(schema.$ref))));
