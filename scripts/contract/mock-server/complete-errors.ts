import fc from 'fast-check';
import type { ErrorFormat, ErrorResponse } from '../../../server/pipeline/errors.ts';
import { isMessageHeader } from '../../../server/pipeline/ignored-headers.ts';
import { documentedType, isJson } from '../../../server/pipeline/media-type.ts';
import { documentedResponse } from '../../testing/conformance/check-response.ts';
import { operationsOf } from '../../testing/requests/operations.ts';
import { tryGenerate } from '../../testing/schema-values/arbitrary.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';
import type { OperationResponse } from '../model/operation.ts';
import { headerValueOf } from './header-value.ts';

/**
 * Extends an error format with what only a service can know: the headers that the documented response requires, and
 * bodies whose schemas the error's text does not fit. Their values are generated.
 * @param context of the contract
 */
export function completeErrors(errors: ErrorFormat, context: SchemaContext): ErrorFormat {
  const operations = new Map(operationsOf(context).map((operation) => [operation.id, operation]));
  return {
    ...errors,
    respond(kind, details, operation) {
      const response = errors.respond(kind, details, operation);
      const known = operation && operations.get(operation.id);
      const documented = known && documentedResponse(known, response.status);
      if (!documented) return response;
      return {
        ...response,
        headers: { ...requiredHeaders(context, documented), ...response.headers },
        content: validContent(context, documented, response.content),
      };
    },
  };
}

function requiredHeaders(context: SchemaContext, { headers }: OperationResponse): Record<string, string> {
  const made = headers
    // The pipeline sets the request ID.
    .filter(({ name, required }) => required && !isMessageHeader(name) && !/^x-request-id$/i.test(name))
    .map(({ name, schema }) => [name, headerValueOf(context, schema, 1)]);
  return Object.fromEntries(made);
}

function validContent(
  context: SchemaContext,
  response: OperationResponse,
  content: ErrorResponse['content'],
): ErrorResponse['content'] {
  if (content === undefined || !isJson(content.mediaType)) return content;
  const names = response.content.map(({ mediaType }) => mediaType);
  const type = documentedType(names, content.mediaType);
  const documented = response.content.find(({ mediaType }) => mediaType === type);
  if (!documented || context.isValid(documented.schema, content.body)) return content;
  const made = tryGenerate(() => fc.sample(valuesOf(context, [documented.schema]), { numRuns: 1, seed: 1 }));
  return made ? { ...content, body: made[0] } : content;
}
