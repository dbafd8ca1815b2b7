import { InputLimitError } from './input-limit.ts';
import { isObject } from './json-object.ts';

/**
 * Units of work that the validation of every message may take. A unit is a call of a referenced schema, an item, a
 * property, or 16 characters. Without a limit, a recursive schema with several branches takes exponential time: 3 s for 18
 * levels, 110 bytes.
 */
const baseWork = 20_000;

/**
 * Further units for each value of the message, and for 16 characters: a union of 60 events takes about 150 per value. Large
 * messages get fewer, which take 1 s for 1 MB.
 */
const workPerValue = { small: 200, large: 10 };

/** Maximum further units of a small message. */
const maxWork = 2_000_000;

/** Returns the units that a text takes. */
export const unitsOfText = (text: string): number => text.length >> 4;

/** Without a message, work is not limited. */
let message: { value: unknown; isCounted: boolean } | undefined;
/** An integer: V8 would allocate memory for each change of another number. */
let left = 0;

/**
 * Limits the work of validators while a function runs.
 * @param value the validated message, any JSON; undefined for the units of the smallest one
 * @throws InputLimitError if the function takes more work than the size of the message allows
 */
export function withWorkLimit<Result>(value: unknown, run: () => Result): Result {
  const before = { message, left };
  message = { value, isCounted: false };
  left = baseWork;
  try {
    return run();
  } finally {
    ({ message, left } = before);
  }
}

/** Returns the units that are left. It grows once, if the work exceeds that of the smallest message. */
export const workLeft = (): number => left;

/** Runs a function whose work is not that of a message, such as the compilation of a schema that it needs first. */
export function withoutWorkLimit<Result>(run: () => Result): Result {
  const before = { message, left };
  message = undefined;
  try {
    return run();
  } finally {
    ({ message, left } = before);
  }
}

/** Counts work of a validator. */
export type Spend = (units: number) => void;

/** Set in a generated module, which has a copy of this one. */
let spendOutside: Spend | undefined;

/** Lets the functions of a generated module count their work where `withWorkLimit` limits it. */
export function countWorkWith(other: Spend): void {
  if (other !== spend) spendOutside = other;
}

/** Counts work of a validator. @throws InputLimitError if there was too much of it */
export function spend(units: number): void {
  if (spendOutside !== undefined) spendOutside(units);
  else {
    left -= units;
    if (left < 0) extend();
  }
}

function extend(): void {
  if (!message) left = baseWork;
  else if (!message.isCounted) {
    message.isCounted = true;
    const units = unitsIn(message.value);
    left += Math.max(Math.min(workPerValue.small * units, maxWork), workPerValue.large * units);
  }
  if (left < 0)
    throw new InputLimitError(
      'The values are too complex to validate: the schema has too many alternatives for the values inside them.',
    );
}

/** Returns the number of values in a JSON value, plus the units of its texts. */
function unitsIn(value: unknown): number {
  // Contains objects and lists only, because a list of a million numbers takes much memory.
  const rest: object[] = [];
  let units = 0;
  const count = (each: unknown): void => {
    units += typeof each === 'string' ? 1 + unitsOfText(each) : 1;
    if (typeof each === 'object' && each !== null && !(each instanceof Uint8Array)) rest.push(each);
  };
  count(value);
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (Array.isArray(next)) next.forEach(count);
    else if (isObject(next))
      // `Object.values` takes three times as long for 60,000 properties.
      for (const name of Object.keys(next)) {
        units += unitsOfText(name);
        count(next[name]);
      }
  }
  return units;
}
