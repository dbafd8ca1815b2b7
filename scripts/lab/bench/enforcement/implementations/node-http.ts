import { createServer, type IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { text } from 'node:stream/consumers';
import type { OperationId } from '../../../../../generated/operations.ts';
import { entityTag } from '../../../../../server/contract/entity-tag.ts';
import { refuse } from '../../../../../server/errors.ts';
import { readByHand } from '../manual-validation.ts';
import type { Admitted, Answer, SameWork, Serve } from '../shared-handlers.ts';

/** Node's own server and JSON: the limit. */
export const serve: Serve = async (work) =>
  createServer(async (req, res) => {
    const begun = work.begin(req);
    const { operation, id, query } = routeOf(req);
    let admitted: Admitted | undefined;
    let answer: Answer;
    try {
      if (!operation) refuse('noSuchPath');
      admitted = await work.admit(req, operation);
      answer = await answerTo(work, req, { operation, id, query, admitted });
    } catch (error) {
      answer = work.failed(error);
    }
    const payload = JSON.stringify(answer.body);
    if (operation && answer.status === 200 && work.isTagged(operation))
      answer.headers.ETag = entityTag(payload);
    res.writeHead(answer.status, {
      'X-Request-Id': begun.requestId,
      ...admitted?.headers,
      ...answer.headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
    });
    res.end(payload);
    work.answered(begun, { operation, status: answer.status, caller: admitted?.caller });
  });

interface Route {
  operation: OperationId | undefined;
  id?: string | undefined;
  query: Record<string, unknown>;
}

async function answerTo(
  work: SameWork,
  req: IncomingMessage,
  { operation, id, query, admitted }: Route & { operation: OperationId; admitted: Admitted },
): Promise<Answer> {
  const body = req.method === 'POST' ? JSON.parse(await text(req)) : undefined;
  const {
    status,
    headers,
    body: answered,
  } = await work.handle(operation, readByHand(operation, { id, query, body }, req), admitted.caller);
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
