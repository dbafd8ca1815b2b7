import { isObject } from '../../../server/lib/json-object.ts';
import { replaced } from './candidates.ts';

// Stop shrinking after this many attempts: a displayed value need not be minimal.
const mostTries = 400;

/**
 * Shrinks a value while a condition remains true.
 * @param weight how many things the condition compares: the more, the fewer attempts
 */
export function shrink(value: unknown, holds: (value: unknown) => boolean, weight: number): unknown {
  const maxTries = Math.min(mostTries, Math.ceil(2_500 / weight));
  let best = value;
  let tries = 0;
  for (let next: unknown = best; next !== undefined && tries < maxTries; ) {
    next = undefined;
    for (const candidate of replaced(best, simpler)) {
      tries += 1;
      if (tries > maxTries) break;
      if (!holds(candidate)) continue;
      best = next = candidate;
      break;
    }
  }
  return best;
}

/** Yields simpler values, and copies of a list or object that lack one member. */
function* simpler(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* plainer(value);
  else if (typeof value === 'number') {
    for (const simple of [0, 1, Math.trunc(value)])
      if (
        Math.abs(simple) < Math.abs(value) ||
        (simple !== value && Number.isInteger(simple) && !Number.isInteger(value))
      )
        yield simple;
  } else if (Array.isArray(value)) for (const index of value.keys()) yield value.toSpliced(index, 1);
  else if (isObject(value))
    for (const name of Object.keys(value))
      yield Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

function* plainer(text: string): Generator<string> {
  const plain = 'a'.repeat(text.length);
  if (text === '') return;
  if (!/^a*$/.test(text)) yield plain;
  if (text.length > 1) yield 'a';
  yield '';
  if (text.length > 2) yield text.slice(0, Math.ceil(text.length / 2));
  if (text.length > 1) yield text.slice(0, -1);
}
