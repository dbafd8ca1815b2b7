import { wordingOf } from '../../lib/wording.ts';
import type { Reading } from './reading.ts';
import type { ScalarShape, ScalarType } from './shape.ts';

/** Only the notation of JSON: no `0x11`, ` 5`, `+5` or `.5`. */
const numberNotation = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

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
  if (!isDecimal(text)) return undefined;
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

const [zero, nine, minus] = [0x30, 0x39, 0x2d];

/** Whether a text consists of decimal digits without leading zeros, with or without a minus sign (D01). */
function isDecimal(text: string): boolean {
  const start = text.charCodeAt(0) === minus ? 1 : 0;
  // Comparisons with NaN, the code after the end, are false.
  if (text.charCodeAt(start) === zero) return text.length === 1;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) return false;
  }
  return text.length > start;
}
