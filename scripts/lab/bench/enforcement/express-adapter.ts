import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { OperationId } from '../../../../generated/operations.ts';
import { entityTag } from '../../../../server/contract/entity-tag.ts';
import type { Admitted, Begun, HandInput, SameWork } from './shared-handlers.ts';

export type Reading = (operation: OperationId, req: Request<{ id?: string }>) => HandInput;

interface Kept {
  begun: Begun;
  operation?: OperationId;
  admitted?: Admitted;
}

const keptOf = (res: Response): Kept => res.locals as Kept;

/** Notes when a request has come, and names it. */
export const beginning =
  (work: SameWork): RequestHandler =>
  (req, res, next) => {
    const begun = work.begin(req);
    Object.assign(res.locals, { begun });
    res.set('X-Request-Id', begun.requestId);
    next();
  };

/** The token and its limit. @throws Refused */
export async function admitOn(
  work: SameWork,
  operation: OperationId,
  req: Request<{ id?: string }>,
  res: Response,
): Promise<Admitted> {
  const kept = keptOf(res);
  kept.operation = operation;
  kept.admitted = await work.admit(req, operation);
  res.set(kept.admitted.headers);
  return kept.admitted;
}

/** A handler of Express around one of ours. */
export const answering =
  (work: SameWork, operation: OperationId, read: Reading, send: Send): RequestHandler<{ id?: string }> =>
  async (req, res) => {
    const { caller } = keptOf(res).admitted ?? (await admitOn(work, operation, req, res));
    const { status, headers = {}, body } = await work.handle(operation, read(operation, req), caller);
    res.status(status).set(headers);
    send(res, body, work.isTagged(operation));
    told(work, res);
  };

/** How an answer goes out. */
export type Send = (res: Response, body: unknown, isTagged: boolean) => void;

/** With Express's own means, which others listen to: the entity tag takes its JSON a second time. */
export const byJson: Send = (res, body, isTagged) => {
  if (isTagged) res.set('ETag', entityTag(JSON.stringify(body)));
  res.json(body);
};

/** Its JSON is written once. */
export const byText: Send = (res, body, isTagged) => {
  const json = JSON.stringify(body);
  if (isTagged) res.set('ETag', entityTag(json));
  res.type('application/json').send(json);
};

/** What went wrong, in our errors. @param known errors of others that have an answer */
export const failing =
  (work: SameWork, known: (error: unknown) => unknown = (error) => error): ErrorRequestHandler =>
  (error, _req, res, _next) => {
    const { status, headers, body } = work.failed(known(error));
    res.status(status).set(headers).json(body);
    told(work, res);
  };

function told(work: SameWork, res: Response): void {
  const { begun, operation, admitted } = keptOf(res);
  work.answered(begun, { operation, status: res.statusCode, caller: admitted?.caller });
}
