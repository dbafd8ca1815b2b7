import { countCharacters, isEqual } from '../../lib/ajv-runtime.ts';
import { hasJsonType } from '../../lib/json-type.ts';
import { isMultipleOf } from '../../lib/multiple-of.ts';
import { patternFor } from '../../lib/pattern-for.ts';
import { spend, unitsOfText } from '../../lib/work-limit.ts';
import type { Place } from './place.ts';

/** Applies the keywords for any value, for numbers and for texts. */
export function applyScalarKeywords(place: Place): void {
  const { schema, value, fail } = place;
  if (schema.type !== undefined) {
    const types = [schema.type].flat();
    if (!hasJsonType(value, types)) fail('type', `must be ${types.map(String).join(' or ')}`);
  }
  if ('const' in schema && !isEqual(value, schema.const)) fail('const', `must be ${textOf(schema.const)}`);
  if (Array.isArray(schema.enum) && !schema.enum.some((each) => isEqual(value, each)))
    fail('enum', `must be equal to one of the allowed values: ${schema.enum.map(textOf).join(', ')}`);
  if (typeof value === 'number') applyToNumber(place, value);
  if (typeof value === 'string') applyToText(place, value);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const comparisons: readonly [
  keyword: string,
  sign: string,
  holds: (value: number, limit: number) => boolean,
][] = [
  ['minimum', '>=', (value, limit) => value >= limit],
  ['maximum', '<=', (value, limit) => value <= limit],
  ['exclusiveMinimum', '>', (value, limit) => value > limit],
  ['exclusiveMaximum', '<', (value, limit) => value < limit],
];

function applyToNumber({ schema, run, fail }: Place, value: number): void {
  for (const [keyword, sign, holds] of comparisons) {
    const limit = schema[keyword];
    if (typeof limit === 'number' && !holds(value, limit)) fail(keyword, `must be ${sign} ${limit}`);
  }
  const { multipleOf, format } = schema;
  if (typeof multipleOf === 'number' && !isMultipleOf(value, multipleOf))
    fail('multipleOf', `must be multiple of ${multipleOf}`);
  if (typeof format === 'string' && !run.hasFormat(format, value))
    fail('format', `must match format "${format}"`);
}

function applyToText({ schema, run, isGuarded, fail }: Place, value: string): void {
  const { maxLength, minLength, pattern, format } = schema;
  spend(1 + unitsOfText(value));
  if (typeof maxLength === 'number' && value.length > maxLength && countCharacters(value) > maxLength)
    fail('maxLength', `must NOT have more than ${maxLength} characters`);
  if (typeof minLength === 'number' && countCharacters(value) < minLength)
    fail('minLength', `must NOT have fewer than ${minLength} characters`);
  if (isGuarded) return;
  if (typeof pattern === 'string' && !patternFor(pattern).test(value))
    fail('pattern', `must match pattern "${pattern}"`);
  if (typeof format === 'string' && !run.hasFormat(format, value))
    fail('format', `must match format "${format}"`);
}
