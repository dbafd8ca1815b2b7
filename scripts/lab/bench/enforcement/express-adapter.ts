import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { OperationId } from '../../../../generated/operations.ts';
import { entityTag } from '../../../../server/own-contract/entity-tag.ts';
import type { AuthenticatedRequest, BegunRequest, HandlerInput, SharedHandlers } from './shared-handlers.ts';

export type ReadInput = (operation: OperationId, req: Request<{ id?: string }>) => HandlerInput;

interface Kept {
  begun: BegunRequest;
  operation?: OperationId;
  admitted?: AuthenticatedRequest;
}

const keptOf = (res: Response): Kept => res.locals as Kept;

/** Records the start time and the request ID. */
export const beginRequest =
  (shared: SharedHandlers): RequestHandler =>
  (req, res, next) => {
    const begun = shared.begin(req);
    Object.assign(res.locals, { begun });
    res.set('X-Request-Id', begun.requestId);
    next();
  };

/** Authenticates and authorizes a request, and applies the rate limit. @throws ApiError */
export async function authenticateRequest(
  shared: SharedHandlers,
  operation: OperationId,
  req: Request<{ id?: string }>,
  res: Response,
): Promise<AuthenticatedRequest> {
  const kept = keptOf(res);
  kept.operation = operation;
  kept.admitted = await shared.admit(req, operation);
  res.set(kept.admitted.headers);
  return kept.admitted;
}

/** Wraps a shared handler as an Express handler. */
export const handleWith =
  (
    shared: SharedHandlers,
    operation: OperationId,
    read: ReadInput,
    send: SendResult,
  ): RequestHandler<{ id?: string }> =>
  async (req, res) => {
    const { caller } = keptOf(res).admitted ?? (await authenticateRequest(shared, operation, req, res));
    const { status, headers = {}, body } = await shared.handle(operation, read(operation, req), caller);
    res.status(status).set(headers);
    send(res, body, shared.isTagged(operation));
    logResponse(shared, res);
  };

/** Sends a response, with an `ETag` header if `isTagged` is true. */
export type SendResult = (res: Response, body: unknown, isTagged: boolean) => void;

/** Uses Express's own `res.json`, so the entity tag needs a second serialization. */
export const sendWithExpress: SendResult = (res, body, isTagged) => {
  if (isTagged) res.set('ETag', entityTag(JSON.stringify(body)));
  res.json(body);
};

/** Serializes the body once, for both the entity tag and the response. */
export const sendText: SendResult = (res, body, isTagged) => {
  const json = JSON.stringify(body);
  if (isTagged) res.set('ETag', entityTag(json));
  res.type('application/json').send(json);
};

/** Returns middleware that sends error responses. @param known converts errors of other libraries to `ApiError` */
export const errorHandler =
  (shared: SharedHandlers, known: (error: unknown) => unknown = (error) => error): ErrorRequestHandler =>
  (error, _req, res, _next) => {
    const { status, headers, body } = shared.failed(known(error));
    res.status(status).set(headers).json(body);
    logResponse(shared, res);
  };

function logResponse(shared: SharedHandlers, res: Response): void {
  const { begun, operation, admitted } = keptOf(res);
  shared.answered(begun, { operation, status: res.statusCode, caller: admitted?.caller });
}
