import { defaultBodyLimit } from '../../contract/accept-request.ts';
import type { ContractModule } from '../../contract/compiled-contract.ts';
import { type ErrorMapper, type ErrorReporter, toErrorResponse } from '../../contract/error-response.ts';
import type { ErrorFormat } from '../../contract/errors.ts';
import { type RequestHead, startState, type ValidatedResponse } from '../../contract/exchange.ts';
import { type HandleOptions, handleRequest } from '../../contract/handle-request.ts';
import type { CompiledOperation } from '../../contract/operation.ts';
import { operationsOf } from '../../contract/operations.ts';
import { createRouter } from '../../contract/router.ts';
import { type FetchState, fetchSource, requestHeadOf, toResponse } from './fetch-source.ts';

export interface FetchHandlerOptions<Caller> extends HandleOptions<Caller> {
  contract: ContractModule;
  errors: ErrorFormat;
  mapError?: ErrorMapper | undefined;
  onError?: ErrorReporter | undefined;
  /** Whether HEAD reaches the operation of GET (default: yes). */
  headAsGet?: boolean;
}

/** A request of the Fetch standard that has arrived. */
export interface ReceivedRequest {
  head: RequestHead;
  body: FetchState['body'];
}

/** What happens to one request, besides the usual steps. */
export interface RequestHooks {
  /** Can change the request before it is accepted. @param operation undefined if the request matches none */
  prepare?: (operation: CompiledOperation | undefined) => Promise<void>;
  /** Takes the place of the option for all requests. */
  onError?: ErrorReporter | undefined;
}

/**
 * Creates a function that handles received requests, without converting their responses.
 * @throws Error if the contract was compiled by another version of the toolchain
 */
export function createFetchPipeline<Caller>({
  contract,
  errors,
  mapError = () => undefined,
  headAsGet = true,
  ...options
}: FetchHandlerOptions<Caller>): (
  received: ReceivedRequest,
  hooks?: RequestHooks,
) => Promise<{ state: FetchState<Caller>; response: ValidatedResponse }> {
  const matchOf = createRouter(operationsOf(contract), headAsGet);
  return async (received, { prepare, onError = options.onError ?? (() => {}) } = {}) => {
    const match = matchOf(received.head);
    await prepare?.(match.operation);
    const { head, body } = received;
    const state: FetchState<Caller> = { ...startState(head, match.operation), body };
    const response = await handleRequest(state, match, options, fetchSource).catch((error: unknown) =>
      toErrorResponse(error, state, { errors, mapError, onError, validation: options.validation }),
    );
    return { state, response };
  };
}

/**
 * Creates a function that enforces a contract on requests of the Fetch standard: for workers, other frameworks, and tests
 * without sockets. HEAD is handled as GET.
 * @returns a function that responds to every request. It rejects only if the body of a request cannot be read.
 * @throws Error if the contract was compiled by another version of the toolchain
 */
export function createFetchHandler<Caller>(
  options: FetchHandlerOptions<Caller>,
): (request: Request) => Promise<Response> {
  const handle = createFetchPipeline(options);
  return async (request) => {
    const received = await requestHeadOf(request, undefined, options.bodyLimit ?? defaultBodyLimit);
    const { response } = await handle(received);
    return toResponse(response, request.method);
  };
}
