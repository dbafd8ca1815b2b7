import { isJson } from '../../../../server/contract/media-type.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { type TestedOperation, webhookOperationsOf } from '../../../testing/requests/operations.ts';
import { isSchema, type JsonSchema } from '../../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../testing/schema-values/schema-context.ts';
import { hasOpenMarks, markedLocationsOf } from '../../generate/page-mock/marked-locations.ts';
import type { PromiseName } from '../../mock/mock-types.ts';
import type { BodyContext } from '../../mock/scenarios/scenario.ts';
import type { Contract } from '../../model/contract.ts';
import type { EventMessage, PayloadParameter } from './event-scenario.ts';

/** An event of the contract, with its first example. */
export interface ExampleEvent {
  operation: TestedOperation;
  message: EventMessage;
  context: BodyContext;
}

/** A documented payload. */
interface Payload {
  schema: JsonSchema;
  message: EventMessage;
}

/** Returns the events of a contract whose body, or one of whose query parameters, has an example in JSON. */
export function exampleEventsOf({ document }: Contract, promises: readonly PromiseName[]): ExampleEvent[] {
  const context = createSchemaContext(document);
  const marked = hasOpenMarks(document);
  return webhookOperationsOf(context).flatMap((operation): ExampleEvent[] => {
    const payload = bodyPayload(operation) ?? queryPayload(operation);
    if (!payload) return [];
    const { schema, message } = payload;
    return [
      {
        operation,
        message,
        context: {
          locations: markedLocationsOf(context, schema, marked),
          isValid: (body) => context.isValid(schema, body),
          isSelected: () => true,
          isPromised: (promise) => promises.includes(promise),
        },
      },
    ];
  });
}

function bodyPayload({ body }: TestedOperation): Payload | undefined {
  const type = body?.content.find(({ mediaType }) => isJson(mediaType));
  const [example] = type?.examples ?? [];
  return type && example
    ? {
        schema: type.schema,
        message: { headers: { 'Content-Type': type.mediaType }, payload: JSON.stringify(example.value) },
      }
    : undefined;
}

/** Returns the payload in a query parameter whose content is JSON, or is text that contains JSON. */
function queryPayload({ parameters }: TestedOperation): Payload | undefined {
  for (const { name, in: location, mediaType, schema, examples } of parameters) {
    if (location !== 'query' || examples[0] === undefined) continue;
    if (mediaType !== undefined && isJson(mediaType))
      return asParameter(schema, JSON.stringify(examples[0]), { name, encoding: 'utf8' });
    const { contentMediaType, contentEncoding, contentSchema } = keywordsOf(schema);
    if (typeof contentMediaType !== 'string' || !isJson(contentMediaType)) continue;
    const encoding =
      contentEncoding === 'base64' || contentEncoding === 'base64url' ? contentEncoding : 'utf8';
    return asParameter(
      isSchema(contentSchema) ? contentSchema : true,
      Buffer.from(String(examples[0]), encoding).toString(),
      { name, encoding },
    );
  }
  return undefined;
}

const asParameter = (schema: JsonSchema, payload: string, parameter: PayloadParameter): Payload => ({
  schema,
  message: { headers: {}, payload, parameter },
});

const keywordsOf = (schema: JsonSchema): Record<string, unknown> => (isObject(schema) ? schema : {});
