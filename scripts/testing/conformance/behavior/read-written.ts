import { exampleRequests } from '../../requests/examples.ts';
import type { TestedOperation } from '../../requests/operations.ts';
import type { RequestSpace } from '../../requests/request-space.ts';
import type { TestCase } from '../../requests/test-case.ts';
import type { Session } from '../session.ts';

/** Whether an operation writes what another one reads below a resource, such as the photo of `/tools/{toolId}/photo`. */
export const isWriterOf = (read: TestedOperation, { method, path }: TestedOperation): boolean =>
  read.method === 'get' &&
  path === read.path &&
  /\}\/[^{}]+$/.test(path) &&
  (method === 'put' || method === 'post');

/**
 * Writes a part of a resource, and reads it: before, most services return 404.
 * @param named makes a request name an existing resource
 */
export async function readWritten(
  session: Session,
  read: RequestSpace,
  write: RequestSpace,
  named: (attempt: TestCase) => TestCase,
): Promise<void> {
  const [given] = exampleRequests(session.requests, write);
  const [asked] = exampleRequests(session.requests, read);
  if (!given || !asked) return;
  const { attempt, result } = await session.tryAndReport(named(given));
  if (result.outcome !== 'accepted') return;
  const { path } = attempt.request;
  await session.tryAndReport({
    ...asked,
    what: `${asked.what}, after ${write.operation.id}`,
    request: { ...asked.request, path },
  });
}
