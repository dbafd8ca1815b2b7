import type { Contract } from '../../model/contract.ts';
import type { Operation } from '../../model/operation.ts';
import { toSlug, uniqueNames } from '../text.ts';
import { textIn } from './nodes.ts';

/** An operation or an event, with its page. */
export interface ReferenceEntry {
  kind: 'operation' | 'event';
  /** The ID of the operation. */
  id: string;
  /** IDs of the other methods of the same event. */
  otherIds: readonly string[];
  /** The page, relative to the portal's root. */
  href: string;
  title: string;
  /** The method of an operation, or `event`. */
  method: string;
  /** The path of an operation, or the type of an event. */
  path: string;
  tag: string;
  /** Markdown. */
  description: string;
  operation: Operation;
}

/** Returns each operation and each event once, in the contract's order. An event may have several methods. */
export function referenceEntries({ operations, webhooks }: Contract): ReferenceEntry[] {
  // Some file systems do not distinguish upper and lower case.
  const unique = uniqueNames();
  const entryOf = (kind: ReferenceEntry['kind'], operation: Operation, others: readonly Operation[]) => {
    const { id, method, path, tags, node } = operation;
    const isEvent = kind === 'event';
    return {
      kind,
      id,
      otherIds: others.map((other) => other.id),
      href: `reference/${unique(fileName(isEvent ? path : id))}.html`,
      title: isEvent ? path : textIn(node, 'summary') || id,
      method: isEvent ? 'event' : method,
      path,
      tag: tags[0] ?? '',
      description: textIn(node, 'description'),
      operation,
    };
  };
  const events = [...Map.groupBy(webhooks, ({ path }) => path).values()];
  return [
    ...operations.map((operation) => entryOf('operation', operation, [])),
    ...events.flatMap((methods) => {
      // The method with a payload describes the event.
      const described = methods.find(({ body }) => body !== undefined) ?? methods[0];
      const others = methods.filter((each) => each !== described);
      return described ? [entryOf('event', described, others)] : [];
    }),
  ];
}

/** Maximum number of characters of a file name before its extension. File systems allow 255 bytes. */
const maxNameLength = 100;

/** Returns the file name of a page, without its extension. */
const fileName = (name: string): string =>
  name
    .slice(0, maxNameLength)
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[.-]+|[.-]+$/g, '') || 'operation';

/** Returns the anchor of a tag on the page of all operations. */
export const tagId = (tag: string): string => `tag-${toSlug(tag)}`;

/** The entries of a tag; the tag of an entry without one is empty. */
export interface EntryGroup {
  tag: string;
  entries: readonly ReferenceEntry[];
}

/** Returns the entries by tag, in order. */
export const groupEntries = (entries: readonly ReferenceEntry[]): EntryGroup[] =>
  [...Map.groupBy(entries, ({ tag }) => tag)].map(([tag, grouped]) => ({ tag, entries: grouped }));
