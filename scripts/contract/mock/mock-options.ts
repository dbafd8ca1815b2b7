import { documentedErrors } from '../../../server/contract/documented-errors.ts';
import type { ErrorFormat, ErrorResponse } from '../../../server/contract/errors.ts';
import type { HandlerResponse } from '../../../server/contract/exchange.ts';
import type { HandleOptions } from '../../../server/contract/handle-request.ts';
import { documentedType, isJson } from '../../../server/contract/media-type.ts';
import { documentedStatus } from '../../../server/contract/validate-response.ts';
import { anyCredentials, mockAuthenticate } from './authenticate.ts';
import type { MockContract, MockOperation } from './mock-contract.ts';

type Respond = HandleOptions<'mock'>['respond'];

/** Where responses come from: examples, overrides, or generated bodies. */
export type ResponseSource = (
  operation: MockOperation,
  input: Parameters<Respond>[1],
  request: Parameters<Respond>[2],
) => HandlerResponse | ErrorResponse | Promise<HandlerResponse | ErrorResponse>;

/** Options of the pipeline, whether requests come from a page or over HTTP. */
export interface MockPipelineOptions extends HandleOptions<'mock'> {
  contract: MockContract;
  errors: ErrorFormat;
  headAsGet: boolean;
}

/**
 * Returns the options with which the pipeline is a mock.
 * @param source returns the response to a valid request
 */
export function mockOptions(contract: MockContract, source: ResponseSource): MockPipelineOptions {
  const { errors, requestRules = {} } = contract.rules;
  const scopes = new Set(contract.scopes);
  return {
    contract,
    ...(contract.tokens === 'scoped'
      ? { authenticate: mockAuthenticate(scopes) }
      : anyCredentials(contract, scopes)),
    checks: requestRules,
    errors: errors ?? completeErrors(documentedErrors, contract),
    // As in Express, unless the contract's own service decides otherwise.
    headAsGet: errors === undefined,
    respond: async ({ id }, input, request) => source(contract.operationOf(id), input, request),
  };
}

/**
 * Extends an error format with what only a service can know: the headers that the documented response requires, and
 * bodies whose schemas the error's text does not fit. The documented examples stand for them.
 */
function completeErrors(errors: ErrorFormat, { operationOf, bodies }: MockContract): ErrorFormat {
  return {
    ...errors,
    respond(kind, details, operation) {
      const response = errors.respond(kind, details, operation);
      const key = operation && documentedStatus(operation.responses, response.status);
      if (!operation || key === undefined) return response;
      const { headers, content } = operationOf(operation.id).examples[key] ?? { headers: {}, content: [] };
      const present = Object.keys(response.headers).map((name) => name.toLowerCase());
      const missing = operation.responses[key]?.headers
        .filter(({ name, required }) => required && !present.includes(name))
        .map(({ name }) => name);
      const added = Object.entries(headers)
        .filter(([name]) => missing?.includes(name.toLowerCase()))
        .map(([name, value]) => [name, String(value)]);
      const completed = { ...response, headers: { ...Object.fromEntries(added), ...response.headers } };
      const given = response.content;
      if (given === undefined || !isJson(given.mediaType)) return completed;
      const type = documentedType(Object.keys(operation.responses[key]?.content ?? {}), given.mediaType);
      const example = bodies[content.find(({ mediaType }) => mediaType === type)?.usual ?? -1];
      if (type === undefined || !example || 'missing' in example) return completed;
      const isValid = operation.validateBody(key, type, given.body).length === 0;
      return isValid ? completed : { ...completed, content: { ...given, body: example.body } };
    },
  };
}
