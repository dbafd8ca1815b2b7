import { isObject } from '../../../server/lib/json-object.ts';

// Stop shrinking after this many attempts: a displayed value need not be minimal.
const maxTries = 400;

/** Shrinks a value while a condition remains true. */
export function shrink(value: unknown, holds: (value: unknown) => boolean): unknown {
  let best = value;
  let tries = 0;
  for (let next: unknown = best; next !== undefined && tries < maxTries; ) {
    next = undefined;
    for (const candidate of smaller(best)) {
      tries += 1;
      if (tries > maxTries) break;
      if (!holds(candidate)) continue;
      best = next = candidate;
      break;
    }
  }
  return best;
}

/** Yields copies of a value that lack one part or have a simpler part. */
function* smaller(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* plainer(value);
  else if (typeof value === 'number') {
    for (const simple of [0, 1, Math.trunc(value)])
      if (
        Math.abs(simple) < Math.abs(value) ||
        (simple !== value && Number.isInteger(simple) && !Number.isInteger(value))
      )
        yield simple;
  } else if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, inner] of value.entries())
      for (const each of smaller(inner)) yield value.with(index, each);
  } else if (isObject(value)) {
    for (const name of Object.keys(value))
      yield Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
    for (const [name, inner] of Object.entries(value))
      for (const each of smaller(inner)) yield { ...value, [name]: each };
  }
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
