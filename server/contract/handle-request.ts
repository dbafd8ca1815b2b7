import { type AcceptOptions, acceptRequest, type RequestSource } from './accept-request.ts';
import { ApiError, type ErrorResponse } from './errors.ts';
import type {
  HandlerResponse,
  RequestHead,
  RequestState,
  ValidatedInput,
  ValidatedResponse,
} from './exchange.ts';
import { compiledValidation } from './message-validation.ts';
import type { CompiledOperation } from './operation.ts';
import type { RouteMatch } from './router.ts';
import { type MakeEntityTag, ResponseValidationError } from './validate-response.ts';

/** How accepted requests are responded to. */
export interface HandleOptions<Caller> extends AcceptOptions<Caller> {
  respond: (
    operation: CompiledOperation,
    input: ValidatedInput & { caller: Caller | undefined; requestId: string },
    request: RequestHead,
  ) => Promise<HandlerResponse | ErrorResponse>;
  /** Makes the ETag of a response if one is documented and the handler has set none. */
  entityTag?: MakeEntityTag;
}

/**
 * Accepts a request, calls `respond`, and validates the response.
 * @throws PipelineError, ApiError, ResponseValidationError, or an error of `authenticate` or `respond`
 */
export async function handleRequest<Caller, State extends RequestState<Caller>>(
  state: State,
  match: RouteMatch,
  options: HandleOptions<Caller>,
  source: RequestSource<State>,
): Promise<ValidatedResponse> {
  const { respond, entityTag, validation = compiledValidation } = options;
  const { operation, input } = await acceptRequest(state, match, options, source);
  state.handlerCalled = true;
  const given = await respond(
    operation,
    { ...input, caller: state.caller, requestId: state.requestId },
    state.req,
  );
  if ('errorName' in given) throw new ApiError(given);
  try {
    return await validation.validateResponse(operation, given, state.headers, entityTag, state.req);
  } catch (error) {
    if (error instanceof ResponseValidationError) error.responseStatus = given.status;
    throw error;
  }
}
