import { createServer, type IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { text } from 'node:stream/consumers';
import type { OperationId } from '../../../../../generated/operations.ts';
import { throwApiError } from '../../../../../server/errors.ts';
import { entityTag } from '../../../../../server/own-contract/entity-tag.ts';
import { parseManually } from '../manual-validation.ts';
import type { AuthenticatedRequest, HandlerResult, Serve, SharedHandlers } from '../shared-handlers.ts';

/** node:http without a framework or schema validation: the upper limit of throughput. */
export const serve: Serve = async (shared) =>
  createServer(async (req, res) => {
    const begun = shared.begin(req);
    const { operation, id, query } = routeOf(req);
    let admitted: AuthenticatedRequest | undefined;
    let response: HandlerResult;
    try {
      if (!operation) throwApiError('pathNotFound');
      admitted = await shared.admit(req, operation);
      response = await answerTo(shared, req, { operation, id, query, admitted });
    } catch (error) {
      response = shared.failed(error);
    }
    const payload = JSON.stringify(response.body);
    if (operation && response.status === 200 && shared.isTagged(operation))
      response.headers.ETag = entityTag(payload);
    res.writeHead(response.status, {
      'X-Request-Id': begun.requestId,
      ...admitted?.headers,
      ...response.headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
    });
    res.end(payload);
    shared.answered(begun, { operation, status: response.status, caller: admitted?.caller });
  });

interface Route {
  operation: OperationId | undefined;
  id?: string | undefined;
  query: Record<string, unknown>;
}

async function answerTo(
  shared: SharedHandlers,
  req: IncomingMessage,
  { operation, id, query, admitted }: Route & { operation: OperationId; admitted: AuthenticatedRequest },
): Promise<HandlerResult> {
  const body = req.method === 'POST' ? JSON.parse(await text(req)) : undefined;
  const {
    status,
    headers,
    body: answered,
  } = await shared.handle(operation, parseManually(operation, { id, query, body }, req), admitted.caller);
  return { status, headers: { ...headers } as Record<string, string>, body: answered };
}

function routeOf({ url = '', method }: IncomingMessage): Route {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? {} : { ...parseQuery(url.slice(mark + 1)) };
  if (path === '/api/v1/contacts')
    return { operation: method === 'POST' ? 'createContact' : 'listContacts', query };
  if (path === '/api/v1/contacts/search') return { operation: 'searchContacts', query };
  if (path === '/api/v1/messages') return { operation: 'createMessage', query };
  if (path.startsWith('/api/v1/contacts/')) return { operation: 'getContact', id: path.slice(17), query };
  return { operation: undefined, query };
}
