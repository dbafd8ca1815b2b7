import type { JsonLocation } from '../../lib/json-text.ts';
import type { ReportedKeyword } from '../../lib/violation.ts';
import type { Wording } from '../../lib/wording.ts';
import type { Run } from './run.ts';

/** The result of applying a schema to a value. */
export interface Outcome {
  isValid: boolean;
  /** The properties that it has evaluated, even if it refuses the value; true for all. */
  names: Set<string> | true;
  /** The items that it has evaluated: those before an index, and further ones; true for all. */
  items: Set<number> | true;
}

/** A keyword or a group of keywords, for one schema and one value. */
export interface Place {
  schema: Readonly<Record<string, unknown>>;
  value: unknown;
  at: JsonLocation;
  run: Run;
  outcome: Outcome;
  /** Whether keywords that can take more than linear time are skipped, because the value has no allowed size. */
  isGuarded: boolean;
  /** Applies a schema to a value, in the same way. */
  apply: ApplySchema;
  /** Records a violation of this schema. @param location that of the refused value (default: `at`) */
  fail: (keyword: Wording, params?: ReportedKeyword['params'], location?: JsonLocation) => void;
}

/**
 * Applies a schema to a value, and reports the violations.
 * @param isGuarded whether a schema around this one refuses the size of the same value
 */
export type ApplySchema = (
  schema: unknown,
  value: unknown,
  at: JsonLocation,
  run: Run,
  isGuarded: boolean,
) => Outcome;

/** Adds what another schema says about the same value. */
export function merge(outcome: Outcome, other: Outcome): void {
  outcome.isValid &&= other.isValid;
  mergeEvaluated(outcome, other);
}

export function mergeEvaluated(outcome: Outcome, { names, items }: Pick<Outcome, 'names' | 'items'>): void {
  outcome.names = union(outcome.names, names);
  outcome.items = union(outcome.items, items);
}

const union = <Key>(one: Set<Key> | true, other: Set<Key> | true): Set<Key> | true =>
  one === true || other === true ? true : other.size === 0 ? one : new Set([...one, ...other]);
