import { comparedKey, countCharacters, isEqual } from '../../lib/ajv-runtime.ts';
import { hasJsonType } from '../../lib/json-type.ts';
import { isMultipleOf } from '../../lib/multiple-of.ts';
import { patternFor } from '../../lib/pattern-for.ts';
import type { Wording } from '../../lib/wording.ts';
import { spend, unitsOfText, withoutWorkLimit } from '../../lib/work-limit.ts';
import type { Place } from './place.ts';

/** Applies the keywords for any value, for numbers and for texts. */
export function applyScalarKeywords(place: Place): void {
  const { schema, value, fail } = place;
  if (schema.type !== undefined) {
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    const isFile = () => schema.format === 'binary' || schema.contentMediaType !== undefined;
    if (!hasJsonType(value, types)) fail('type', { type: types, isFiles: Array.isArray(value) && isFile() });
  }
  if ('const' in schema && !isEqual(value, schema.const)) fail('const', { allowedValue: schema.const });
  if (Array.isArray(schema.enum) && !keysOf(schema.enum).has(comparedKey(value)))
    fail('enum', { allowedValues: schema.enum });
  if (typeof value === 'number') applyToNumber(place, value);
  if (typeof value === 'string') applyToText(place, value);
}

/** Schemas do not change. */
const known = new WeakMap<object, ReadonlySet<unknown>>();

/** Returns the keys of the values of an enumeration, which can be thousands. */
function keysOf(values: readonly unknown[]): ReadonlySet<unknown> {
  const keys = known.get(values) ?? new Set(withoutWorkLimit(() => values.map(comparedKey)));
  known.set(values, keys);
  return keys;
}

const comparisons: readonly [keyword: Wording, holds: (value: number, limit: number) => boolean][] = [
  ['minimum', (value, limit) => value >= limit],
  ['maximum', (value, limit) => value <= limit],
  ['exclusiveMinimum', (value, limit) => value > limit],
  ['exclusiveMaximum', (value, limit) => value < limit],
];

function applyToNumber({ schema, run, fail }: Place, value: number): void {
  for (const [keyword, holds] of comparisons) {
    const limit = schema[keyword];
    if (typeof limit === 'number' && !holds(value, limit)) fail(keyword, { limit });
  }
  const { multipleOf, format } = schema;
  if (typeof multipleOf === 'number' && !isMultipleOf(value, multipleOf)) fail('multipleOf', { multipleOf });
  if (typeof format === 'string' && !run.hasFormat(format, value)) fail('format', { format });
}

function applyToText({ schema, run, isGuarded, fail }: Place, value: string): void {
  const { maxLength, minLength, pattern, format } = schema;
  spend(1 + unitsOfText(value));
  if (typeof maxLength === 'number' && value.length > maxLength && countCharacters(value) > maxLength)
    fail('maxLength', { limit: maxLength });
  if (typeof minLength === 'number' && countCharacters(value) < minLength)
    fail('minLength', { limit: minLength });
  if (isGuarded) return;
  if (typeof pattern === 'string' && !patternFor(pattern).test(value)) fail('pattern', { pattern });
  if (typeof format === 'string' && !run.hasFormat(format, value)) fail('format', { format });
}
