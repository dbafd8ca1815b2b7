import { exampleRequests } from '../../requests/examples.ts';
import type { TestedOperation } from '../../requests/operations.ts';
import type { RequestSpace } from '../../requests/request-space.ts';
import type { TestCase } from '../../requests/serialize.ts';
import type { Session } from '../session.ts';
import { hasPages } from './next-page.ts';
import { resourcesOf } from './resource.ts';

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

interface Choice {
  /** All operations of the contract. */
  all: readonly TestedOperation[];
  chosen: readonly TestedOperation[];
  /** Operations that may be called, whether they are tested or not. */
  callable: readonly TestedOperation[];
}

/**
 * Returns the operations that are not tested, but that sequences of the tested ones need: those that create or read a
 * resource.
 */
export function sequenceHelpers({ all, chosen, callable }: Choice): TestedOperation[] {
  const spaces = [...new Set([...chosen, ...callable])].map((operation) => ({ operation }));
  const resources = resourcesOf(all, spaces).map(({ create, read, update, remove }) => ({
    makers: [create, read].flatMap((space) => space?.operation ?? []),
    users: [read, update, remove].flatMap((space) => space?.operation ?? []),
  }));
  const isChosen = (operation: TestedOperation) => chosen.includes(operation);
  const needed = resources.flatMap(({ makers, users }) => (users.some(isChosen) ? makers : []));
  const lists = chosen.filter(hasPages).map(({ path }) => path);
  return callable.filter(
    (each) =>
      !isChosen(each) &&
      (needed.includes(each) ||
        (each.method === 'post' && lists.includes(each.path)) ||
        chosen.some((read) => isWriterOf(read, each))),
  );
}
