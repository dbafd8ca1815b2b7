import fc from 'fast-check';
import type { ErrorFormat } from '../../../server/pipeline/errors.ts';
import { isMessageHeader } from '../../../server/pipeline/ignored-headers.ts';
import { documentedResponse } from '../../testing/conformance/check-response.ts';
import { operationsOf } from '../../testing/requests/operations.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';

/**
 * Extends an error format with the headers that the documented response requires: a service sends them by itself, but
 * the mock has no service. Their values are generated.
 * @param context of the contract
 */
export function withRequiredHeaders(errors: ErrorFormat, context: SchemaContext): ErrorFormat {
  const operations = new Map(operationsOf(context).map((operation) => [operation.id, operation]));
  return {
    ...errors,
    respond(kind, details, operation) {
      const response = errors.respond(kind, details, operation);
      const known = operation && operations.get(operation.id);
      const documented = (known && documentedResponse(known, response.status)?.headers) ?? [];
      const made = documented
        // The pipeline sets the request ID.
        .filter(({ name, required }) => required && !isMessageHeader(name) && !/^x-request-id$/i.test(name))
        .map(({ name, schema }) => [name, headerValueOf(context, schema)]);
      return { ...response, headers: { ...Object.fromEntries(made), ...response.headers } };
    },
  };
}

/** Returns a value that can be sent in a header; an empty one if 50 generated values cannot. */
function headerValueOf(context: SchemaContext, schema: JsonSchema): string {
  const values = fc.sample(valuesOf(context, [schema]), { numRuns: 50, seed: 1 }).map(String);
  return values.find((value) => /^[!-~]([ -~]*[!-~])?$/.test(value)) ?? '';
}
