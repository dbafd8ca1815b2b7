import { defaultBodyLimit } from './accept-request.ts';
import { isPublic } from './authorize.ts';
import type { ContractModule } from './compiled-contract.ts';
import { type ErrorMapper, type ErrorReporter, toErrorResponse } from './error-response.ts';
import type { ErrorFormat } from './errors.ts';
import { fetchSource, requestHeadOf, startFetch, toResponse } from './fetch-source.ts';
import { type HandleOptions, handleRequest } from './handle-request.ts';
import { operationsOf } from './operations.ts';
import { createPathMatcher } from './path-matcher.ts';
import { createRouter } from './router.ts';

export interface FetchHandlerOptions<Caller> extends HandleOptions<Caller> {
  contract: ContractModule;
  errors: ErrorFormat;
  mapError?: ErrorMapper | undefined;
  onError?: ErrorReporter | undefined;
}

/**
 * Creates a function that enforces a contract on requests of the Fetch standard: for workers, other frameworks, and tests
 * without sockets. HEAD is handled as GET.
 * @returns a function that responds to every request. It rejects only if the body of a request cannot be read.
 * @throws Error if the contract was compiled by another version of the toolchain
 */
export function createFetchHandler<Caller>({
  contract,
  errors,
  mapError = () => undefined,
  onError = () => {},
  ...options
}: FetchHandlerOptions<Caller>): (request: Request) => Promise<Response> {
  const operations = operationsOf(contract);
  const anySecured = operations.some(({ security }) => !isPublic(security));
  const matchOf = createRouter(operations, createPathMatcher(), true);
  return async (request) => {
    const { head, body } = await requestHeadOf(request, undefined, options.bodyLimit ?? defaultBodyLimit);
    const match = matchOf(head);
    const state = startFetch<Caller>(head, body, match.operation);
    const response = await handleRequest(state, match, anySecured, options, fetchSource).catch(
      (error: unknown) => toErrorResponse(error, state, { errors, mapError, onError }),
    );
    return toResponse(response, request.method);
  };
}
