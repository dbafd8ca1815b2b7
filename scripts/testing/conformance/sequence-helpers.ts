import type { TestedOperation } from '../requests/operations.ts';
import { hasPages } from './behavior/next-page.ts';
import { isWriterOf } from './behavior/read-written.ts';
import { resourcesOf } from './behavior/resource.ts';

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
