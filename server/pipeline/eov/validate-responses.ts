import type { ValidateFunction } from 'ajv';
import type { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import type { SchemaViolation } from '../operation.ts';
import { type CompiledValidators, memoize, type Route } from './compile.ts';
import { asSync, findingsOf } from './compiled-function.ts';
import { headersSchemaOf } from './read-operations.ts';
import { operationAt } from './route-nodes.ts';

/**
 * Returns functions that validate the bodies and the headers of an operation's responses.
 * @returns also `bodies`, the compiled functions by status and media type
 */
export function compileResponseValidation(
  { responses, responseDocument, requests, headerValidators }: CompiledValidators,
  route: Route,
) {
  const documented = operationAt(responseDocument, route).responses ?? {};
  const bodies = memoize(() => {
    const request: unknown = {
      method: route.method,
      headers: {},
      openapi: { expressRoute: route.expressRoute },
    };
    const built: unknown = responses._getOrBuildValidator(
      request as Parameters<ResponseValidator['_getOrBuildValidator']>[0],
      documented as Parameters<ResponseValidator['_getOrBuildValidator']>[1],
    );
    return built as Record<string, Record<string, ValidateFunction>>;
  });
  const headers = new Map<string, ValidateFunction>();
  const headersFor = (status: string): ValidateFunction => {
    const schema = headersSchemaOf(responseDocument, documented[status]);
    const key = JSON.stringify(schema);
    const validate = headerValidators.get(key) ?? asSync(requests['ajv'].compile(schema));
    headerValidators.set(key, validate);
    return validate;
  };
  return {
    bodies,
    validateBody(status: string, mediaType: string, body: unknown): SchemaViolation[] {
      const validate = bodies()[status]?.[mediaType];
      return !validate || validate({ response: body }) ? [] : findingsOf(validate, '/response');
    },
    validateHeaders(status: string, given: Record<string, unknown>): SchemaViolation[] {
      const validate = headers.get(status) ?? headersFor(status);
      headers.set(status, validate);
      return validate(given) ? [] : findingsOf(validate);
    },
  };
}
