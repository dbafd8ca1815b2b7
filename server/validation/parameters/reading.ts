import { InputLimitError } from '../../lib/input-limit.ts';
import { anyShape, type Shape } from './shape.ts';

/** The state of parsing one request. */
export interface Reading {
  /** Whether a schema, given by its JSON Pointer, accepts a value. */
  accepts: (check: string, value: unknown) => boolean;
  /** Reason why the parameter that is being read has no value. */
  problem: string | undefined;
  /** The shapes to which inner shapes refer. Most requests have none. */
  named: Map<string, Shape> | undefined;
  /** Texts and lists that may still be read. Alternatives inside alternatives would take exponential time. */
  left: number;
}

/** Maximum number of texts and lists that are read for a request, each time that an alternative tries it. */
const maxReads = 50_000;

export const createReading = (accepts: Reading['accepts']): Reading => ({
  accepts,
  problem: undefined,
  named: undefined,
  left: maxReads,
});

/** Counts a value that is read. @throws InputLimitError if there were too many */
export function countRead(reading: Reading): void {
  reading.left -= 1;
  if (reading.left < 0)
    throw new InputLimitError(
      'The parameters are too complex to parse: their schemas have too many alternatives for the values.',
    );
}

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
 * be read, so that validation explains what is wrong with it.
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
    countRead(reading);
    const value = read(alternative);
    const isRead = value !== undefined && reading.problem === before;
    if (isRead && checks.every((check) => reading.accepts(check, value))) return value;
    reading.problem = before;
    first ??= value;
  }
  return first;
}
