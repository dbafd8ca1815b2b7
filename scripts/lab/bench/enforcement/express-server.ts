import { createServer, type Server } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { OperationId } from '../../../../generated/operations.ts';
import { readRequestId } from '../../../../server/contract/request-id.ts';
import { entityTag } from '../../../../server/own-contract/entity-tag.ts';
import type { HandlerInput, SharedHandlers } from './shared-handlers.ts';

type RoutedRequest = Request<{ id?: string }>;

interface Routing {
  /** In front of the routes. */
  middleware?: RequestHandler | RequestHandler[];
  read: (req: RoutedRequest, operation: OperationId) => HandlerInput;
  /** Sends a response, with an `ETag` header if `isTagged` is true. */
  send: (res: Response, body: unknown, isTagged: boolean) => void;
}

/** Creates a server of Express 5, as its guide describes, with the operations that the workloads call. */
export function createExpressServer(shared: SharedHandlers, { middleware, read, send }: Routing): Server {
  const app = express();
  app.disable('x-powered-by');
  // `send` sets entity tags, and only where the contract documents them.
  app.disable('etag');
  app.use((req, res, next) => {
    const requestId = readRequestId(req.headers['x-request-id']);
    Object.assign(res.locals, { requestId, startedAt: performance.now() });
    res.set('X-Request-Id', requestId);
    next();
  });
  app.use(express.json());
  if (middleware) app.use(middleware);
  const serve =
    (operation: OperationId): RequestHandler<{ id?: string }> =>
    async (req, res) => {
      const { caller, headers: limits } = await shared.admit(req, operation);
      res.set(limits);
      const { status, headers = {}, body } = await shared.handle(operation, read(req, operation), caller);
      res.status(status).set(headers);
      send(res, body, operation === 'getContact');
      const { requestId, startedAt } = res.locals;
      const durationMs = performance.now() - startedAt;
      const { method } = req;
      shared.log.info(
        { requestId, operation, method, status, durationMs, company: caller.companyId },
        'request completed',
      );
    };
  app.get('/api/v1/contacts', serve('listContacts'));
  app.post('/api/v1/contacts', serve('createContact'));
  app.get('/api/v1/contacts/:id', serve('getContact'));
  app.post('/api/v1/messages', serve('createMessage'));
  return createServer(app);
}

/** Converts numbers and adds defaults by hand, without validation. */
export function readByHand(
  { params: { id }, query, headers, body }: RoutedRequest,
  operation: OperationId,
): HandlerInput {
  const path = id === undefined ? {} : { id: Number(id) };
  if (operation !== 'listContacts') return { path, headers, body, query };
  const { page = 0, per_page = 20, order = 'asc', include_anonymous } = query;
  const converted = { page: Number(page), per_page: Number(per_page), order };
  return {
    ...{ path, headers, body },
    query: { ...query, ...converted, include_anonymous: include_anonymous === 'true' },
  };
}

/** Serializes the body once, for both the entity tag and the response. */
export function sendText(res: Response, body: unknown, isTagged: boolean): void {
  const json = JSON.stringify(body);
  if (isTagged) res.set('ETag', entityTag(json));
  res.type('application/json').send(json);
}

/** Uses Express's own `res.json`, so the entity tag needs a second serialization. */
export function sendWithExpress(res: Response, body: unknown, isTagged: boolean): void {
  if (isTagged) res.set('ETag', entityTag(JSON.stringify(body)));
  res.json(body);
}
