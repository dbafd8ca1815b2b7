import type { ListedChange } from './redocly-diff.ts';
import type { Direction, SchemaLocation } from './schema-locations.ts';

type Node = Record<string, unknown>;

/** Two versions of a contract, in their normal form, and what differs between them. */
export interface Comparison {
  before: Node;
  after: Node;
  changes: readonly ListedChange[];
  /** The places at which a change shows, of the old contract and of the new one. */
  locationsOf: (change: Pick<ListedChange, 'base' | 'revision'>) => SchemaLocation[];
}

/** Something that somebody relies on and that is not there any more, or asked for and was not. */
export interface BreakingFinding {
  /** Redocly's rule, or ours. */
  rule: string;
  message: string;
  /** How it is used: JSON Pointer that goes through references. */
  path: string;
  /** Which of its properties has changed, where it is still there. */
  property?: string | undefined;
  /** Where it stood, and stands, in the normal form. */
  base?: { pointer: string; value?: unknown } | undefined;
  revision?: { pointer: string; value?: unknown } | undefined;
}

/** Finds what breaks somebody and what Redocly lists without saying so, or does not list. Its file's name is its rule. */
export type BreakingChangeRule = (comparison: Comparison) => BreakingFinding[];

/** A completion that looks at one listed change after the other. @param tell what it breaks, if it does */
export const forEachChange =
  (
    rule: string,
    tell: (change: ListedChange, directions: ReadonlySet<Direction>) => string | undefined,
  ): BreakingChangeRule =>
  ({ changes, locationsOf }) =>
    changes.flatMap((change) => {
      if (change.impact === 'major') return [];
      const message = tell(change, new Set(locationsOf(change).map(({ direction }) => direction)));
      const { path, property, base, revision } = change;
      return message === undefined ? [] : [{ rule, message, path, property, base, revision }];
    });

/** A value as a message shows it. */
export const formatValue = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value);
