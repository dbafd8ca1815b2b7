import type { Contract } from '../../model/contract.ts';
import type { Operation } from '../../model/operation.ts';
import { textIn } from './nodes.ts';

/** An operation in the reference, or an event with one of its methods. */
export interface ReferenceEntry {
  kind: 'operation' | 'event';
  /** The anchor of the entry. */
  id: string;
  title: string;
  method: string;
  /** The path of an operation, or the type of an event. */
  path: string;
  tag: string;
  description: string;
}

/** Returns all entries of the reference, in the contract's order. */
export const referenceEntries = ({ operations, webhooks }: Contract): ReferenceEntry[] => [
  ...operations.map((operation) => entryOf('operation', operation)),
  ...webhooks.map((webhook) => entryOf('event', webhook)),
];

export const entryOf = (
  kind: ReferenceEntry['kind'],
  { id, method, path, tags, node }: Operation,
): ReferenceEntry => ({
  kind,
  id,
  title: textIn(node, 'summary') || id,
  method,
  path,
  tag: tags[0] ?? '',
  description: textIn(node, 'description'),
});
