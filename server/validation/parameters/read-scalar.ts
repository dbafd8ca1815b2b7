import { wordingOf } from '../../lib/wording.ts';
import type { Reading } from './reading.ts';
import type { ScalarShape, ScalarType } from './shape.ts';

/** Only the notation of JSON: no `0x11`, ` 5`, `+5` or `.5`. */
const numberNotation = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Decimal digits without leading zeros (D01). */
const integerNotation = /^(0|-?[1-9]\d*)$/;

/** Longer integers are outside of every range. Converting them takes more than linear time. */
const maxDigits = 40;

const ranges = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
} as const;

/**
 * Converts a decoded text to the first of its types that the schemas accept. A text that has none of the types stays
 * text, so that validation rejects it.
 */
export function readScalar(text: string, shape: ScalarShape, reading: Reading): unknown {
  const [only] = shape.types;
  if (only !== undefined && shape.types.length === 1) {
    const value = convert(text, only, shape, reading);
    return value === undefined ? text : value;
  }
  const before = reading.problem;
  for (const type of shape.types) {
    const value = convert(text, type, shape, reading);
    if (value === undefined || !shape.checks.every((check) => reading.accepts(check, value))) continue;
    reading.problem = before;
    return value;
  }
  return text;
}

/** Returns undefined for a text that is not of the type. */
function convert(text: string, type: ScalarType, shape: ScalarShape, reading: Reading): unknown {
  switch (type) {
    case 'integer':
      return toInteger(text, shape, reading);
    case 'number':
      return toNumber(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'null':
      return text === '' ? null : undefined;
    case 'string':
      return text;
  }
}

function toInteger(text: string, { format }: ScalarShape, reading: Reading): number | undefined {
  if (!integerNotation.test(text)) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  if (text.length <= maxDigits) {
    const exact = BigInt(text);
    const [least, most] = format === undefined ? [exact, exact] : ranges[format];
    if (format === undefined ? BigInt(value) === exact : least <= exact && exact <= most) return value;
  }
  reading.problem = format === undefined ? wordingOf('precision') : wordingOf('format', { format });
  return undefined;
}

function toNumber(text: string): number | undefined {
  if (!numberNotation.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
