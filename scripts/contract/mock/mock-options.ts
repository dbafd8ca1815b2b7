import { documentedErrors } from '../../../server/contract/documented-errors.ts';
import type { ErrorFormat, ErrorResponse } from '../../../server/contract/errors.ts';
import type { HandlerResponse } from '../../../server/contract/exchange.ts';
import type { HandleOptions } from '../../../server/contract/handle-request.ts';
import { anyCredentials, mockAuthenticate } from './authenticate.ts';
import { completeErrors } from './complete-errors.ts';
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
