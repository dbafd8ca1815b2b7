import { isPublic } from './authorize.ts';
import type { ContractModule } from './compiled-contract.ts';
import { type ErrorMapper, type ErrorReporter, toErrorResponse } from './error-response.ts';
import type { ErrorFormat } from './errors.ts';
import type { ValidatedResponse } from './exchange.ts';
import { type FetchState, fetchSource, requestHeadOf } from './fetch-source.ts';
import { type HandleOptions, handleRequest } from './handle-request.ts';
import { operationsOf } from './operations.ts';
import { createPathMatcher } from './path-matcher.ts';
import { readRequestId } from './request-id.ts';
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
    const { head, body } = await requestHeadOf(request, undefined, options.bodyLimit ?? 1_048_576);
    const match = matchOf(head);
    const requestId = readRequestId(head.headers['x-request-id']);
    const state: FetchState<Caller> = {
      ...{ req: head, body, requestId, operation: match.operation, caller: undefined },
      ...{ handlerCalled: false, input: undefined },
      headers: { ...match.operation?.deprecationHeaders, 'X-Request-Id': requestId },
    };
    const response = await handleRequest(state, match, anySecured, options, fetchSource).catch(
      (error: unknown) => toErrorResponse(error, state, { errors, mapError, onError }),
    );
    return toResponse(response, request.method);
  };
}

/** Statuses whose responses have no body in HTTP. */
const withoutBody = [204, 205, 304];

function toResponse({ status, headers, payload }: ValidatedResponse, method: string): Response {
  const isEmpty = payload === undefined || method === 'HEAD' || withoutBody.includes(status);
  const body = isEmpty ? undefined : payload instanceof Uint8Array ? new Uint8Array(payload) : payload;
  return new Response(body, { status, headers });
}
