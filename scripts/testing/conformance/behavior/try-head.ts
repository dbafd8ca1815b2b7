import { exampleRequests } from '../../requests/examples.ts';
import type { TestedOperation } from '../../requests/operations.ts';
import type { RequestSpace } from '../../requests/request-space.ts';
import type { GeneratedRequest } from '../../requests/serialize.ts';
import type { Session } from '../session.ts';

/** Compares HEAD with GET on the same path, unless the resource changes between the requests (RFC 9110, section 9.3.2). */
export async function tryHead(session: Session, head: RequestSpace): Promise<void> {
  const { operations, requests } = session;
  const get = operations.find(({ method, path }) => method === 'get' && path === head.operation.path);
  const [attempt] = exampleRequests(requests, head);
  if (!get || !attempt) return;
  const send = (operation: TestedOperation, request: GeneratedRequest) =>
    session.tryAndReport({
      ...attempt,
      what: 'HEAD and GET of a resource',
      request: { ...request, operation },
    });
  const before = await send(get, attempt.request);
  if (before.result.outcome !== 'accepted') return;
  const tried = await send(head.operation, before.attempt.request);
  const after = await send(get, before.attempt.request);
  const [one, same, other] = [before, tried, after].map(({ response }) => response);
  if (!one || !same || !other || one.text !== other.text || one.headers.etag !== other.headers.etag) return;
  const { etag } = same.headers;
  const message =
    same.status !== one.status
      ? `HEAD returned ${same.status}, and GET ${one.status}`
      : etag !== undefined && one.headers.etag !== undefined && etag !== one.headers.etag
        ? 'HEAD returned another ETag than GET'
        : undefined;
  session.conclude(tried, 'same-by-head', message);
}
