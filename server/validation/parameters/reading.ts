import { spend } from '../../lib/work-limit.ts';
import { anyShape, type Shape } from './shape.ts';

/** The state of parsing one request. */
export interface Reading {
  /** Whether a schema, given by its JSON Pointer, accepts a value. */
  accepts: (check: string, value: unknown) => boolean;
  /** Reason why the parameter that is being read has no value. */
  problem: string | undefined;
  /** The shapes to which inner shapes refer. Most requests have none. */
  named: Map<string, Shape> | undefined;
}

export const createReading = (accepts: Reading['accepts']): Reading => ({
  accepts,
  problem: undefined,
  named: undefined,
});

/** Returns the shape that a name or a reference stands for. */
export function unnamed(shape: Shape, reading: Reading): Exclude<Shape, { kind: 'named' | 'reference' }> {
  let found = shape;
  while (found.kind === 'named' || found.kind === 'reference') {
    reading.named ??= new Map();
    if (found.kind === 'named') reading.named.set(found.name, found.shape);
    found = found.kind === 'named' ? found.shape : (reading.named.get(found.name) ?? anyShape);
  }
  return found;
}

/**
 * Returns the first value of several alternatives that all schemas accept. If they accept none, returns the first that could
 * be read, so that validation explains what is wrong with it. Counts its work, because alternatives inside alternatives take
 * exponential time.
 * @param read returns undefined if the parameter does not have the form of the alternative
 */
export function firstAccepted(
  alternatives: readonly Shape[],
  checks: readonly string[],
  reading: Reading,
  read: (alternative: Shape) => unknown,
): unknown {
  let first: unknown;
  const before = reading.problem;
  for (const alternative of alternatives) {
    spend(1);
    const value = read(alternative);
    const isRead = value !== undefined && reading.problem === before;
    if (isRead && checks.every((check) => reading.accepts(check, value))) return value;
    reading.problem = before;
    first ??= value;
  }
  return first;
}
