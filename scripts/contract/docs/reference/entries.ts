import type { Contract } from '../../model/contract.ts';
import type { Operation } from '../../model/operation.ts';
import { toSlug } from '../text.ts';
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
  const hrefOf = pageNames();
  const entryOf = (kind: ReferenceEntry['kind'], operation: Operation, others: readonly Operation[]) => {
    const { id, method, path, tags, node } = operation;
    const isEvent = kind === 'event';
    return {
      kind,
      id,
      otherIds: others.map((other) => other.id),
      href: hrefOf(isEvent ? path : id),
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
      return described
        ? [
            entryOf(
              'event',
              described,
              methods.filter((each) => each !== described),
            ),
          ]
        : [];
    }),
  ];
}

/** Maximum number of characters of a file name before its extension. File systems allow 255 bytes. */
const maxNameLength = 100;

/** Returns a function that returns the page of a name. Some file systems do not distinguish upper and lower case. */
function pageNames(): (name: string) => string {
  const taken = new Set<string>();
  /** The next number of a name, so that many equal names take linear time. */
  const numbers = new Map<string, number>();
  return (name) => {
    const safe =
      name
        .slice(0, maxNameLength)
        .replaceAll(/[^\w.-]+/g, '-')
        .replaceAll(/^[.-]+|[.-]+$/g, '') || 'operation';
    const key = safe.toLowerCase();
    let unique = safe;
    let number = numbers.get(key) ?? 2;
    for (; taken.has(unique.toLowerCase()); number++) unique = `${safe}-${number}`;
    numbers.set(key, number);
    taken.add(unique.toLowerCase());
    return `reference/${unique}.html`;
  };
}

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
