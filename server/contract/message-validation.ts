import type { HandlerResponse, RequestHead, ValidatedInput, ValidatedResponse } from './exchange.ts';
import type { CompiledOperation, ReadBody } from './operation.ts';
import { validateRequest } from './validate-request.ts';
import { type MakeEntityTag, validateResponse } from './validate-response.ts';

/** Decides whether messages conform to the contract. */
export interface MessageValidation {
  /**
   * @param path the path parameters as the client sent them, percent-encoded
   * @returns the input of the handler
   * @throws PipelineError
   */
  validateRequest: (
    operation: CompiledOperation,
    req: RequestHead,
    path: Readonly<Record<string, string>>,
    body: ReadBody,
  ) => ValidatedInput | Promise<ValidatedInput>;
  /**
   * Validates a response and serializes it.
   * @param supplied headers that the pipeline adds
   * @param req the request, which `validateRequest` has accepted
   * @throws ResponseValidationError
   */
  validateResponse: (
    operation: CompiledOperation,
    response: HandlerResponse,
    supplied: Record<string, string>,
    entityTag: MakeEntityTag | undefined,
    req: RequestHead,
  ) => ValidatedResponse;
}

/** The functions of the compiled contract. */
export const compiledValidation: MessageValidation = { validateRequest, validateResponse };
