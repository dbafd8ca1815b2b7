import { expect, test } from 'vitest';
import { createAjv } from '../../../scripts/lib/create-ajv.ts';
import { knownFormats } from '../../../scripts/lib/known-formats.ts';
import { rewordAjvMessage } from '../../../server/lib/ajv-message.ts';
import { violationOf } from '../../../server/lib/violation.ts';
import { hasWording } from '../../../server/lib/wording.ts';
import { explainSchema } from '../../../server/validation/explain/explain-schema.ts';

/** A part of every refused value below that must not be shown. */
const secret = 'hunter2';

const explain = (schema: object, value: unknown): string[] =>
  explainSchema({ schemas: { it: { ...schema } }, formats: knownFormats }, 'it', value, 10).map(
    ({ pointer, message }) => `${pointer} ${message}`,
  );

const options = { strict: false, strictNumbers: true, allErrors: true, formats: knownFormats };
const ajv = createAjv({ ...options, messages: false });
const ajvWithMessages = createAjv({ ...options, messages: true });

function explainWithAjv(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema);
  expect(validate(value)).toBe(false);
  return (validate.errors ?? []).map(violationOf).map(({ pointer, message }) => `${pointer} ${message}`);
}

const letters = (count: number) => Array.from({ length: count }, (_, index) => `value-${index}`);

const table: [keyword: string, schema: object, value: unknown, message: string][] = [
  ['type', { type: 'string' }, 1, ' must be a string'],
  ['type', { type: 'integer' }, secret, ' must be an integer'],
  ['type', { type: ['object', 'null'] }, secret, ' must be an object or null'],
  ['type', { type: ['array', 'number', 'boolean'] }, secret, ' must be an array, a number or a boolean'],
  ['type', { type: 'number' }, Number.POSITIVE_INFINITY, ' must be a number'],
  ['const', { const: 'circle' }, secret, ' must be circle'],
  ['const', { const: 'true' }, secret, ' must be "true"'],
  ['const', { const: true }, secret, ' must be true'],
  ['const', { const: { a: ['b'] } }, secret, ' must be {"a":["b"]}'],
  ['const', { const: 'x'.repeat(200) }, secret, ' must have the only allowed value'],
  [
    'enum',
    { enum: ['in progress', '', 'a,b', '7', 7, null] },
    secret,
    ' must be one of: in progress, "", "a,b", "7", 7, null',
  ],
  ['enum', { enum: ['one'] }, secret, ' must be one'],
  [
    'enum',
    { enum: letters(100) },
    secret,
    ' must be one of: value-0, value-1, value-2, value-3, value-4, value-5, value-6, value-7, value-8, value-9, value-10, value-11, value-12 and 87 more',
  ],
  ['enum', { enum: ['x'.repeat(200), 'y'] }, secret, ' must be one of 2 allowed values'],
  ['minimum', { minimum: 2 }, 1.5, ' must be at least 2'],
  ['maximum', { maximum: -2.5 }, 1, ' must be at most -2.5'],
  ['exclusiveMinimum', { exclusiveMinimum: 0 }, 0, ' must be more than 0'],
  ['exclusiveMaximum', { exclusiveMaximum: 0 }, 0, ' must be less than 0'],
  ['multipleOf', { multipleOf: 0.01 }, 0.001, ' must be a multiple of 0.01'],
  ['minLength', { minLength: 1 }, '', ' must have at least 1 character'],
  ['minLength', { minLength: 20 }, secret, ' must have at least 20 characters'],
  ['maxLength', { maxLength: 0 }, secret, ' must be empty'],
  ['maxLength', { maxLength: 1 }, secret, ' must have at most 1 character'],
  ['maxLength', { maxLength: 2 }, secret, ' must have at most 2 characters'],
  ['pattern', { pattern: '^\\d+$' }, secret, ' must match the pattern "^\\d+$"'],
  ['pattern', { pattern: `^${'a'.repeat(200)}$` }, secret, ' must match its pattern'],
  ['format', { format: 'date' }, secret, ' must be a date, such as 2024-05-17'],
  ['format', { format: 'relative-json-pointer' }, secret, ' must have the format "relative-json-pointer"'],
  ['minItems', { minItems: 1 }, [], ' must have at least 1 item'],
  ['minItems', { minItems: 2 }, [secret], ' must have at least 2 items'],
  ['maxItems', { maxItems: 1 }, [secret, 1], ' must have at most 1 item'],
  ['items', { prefixItems: [{}], items: false }, [secret, 1], ' must have at most 1 item'],
  [
    'unevaluatedItems',
    { prefixItems: [{}], unevaluatedItems: false },
    [1, secret],
    ' must have at most 1 item',
  ],
  [
    'uniqueItems',
    { uniqueItems: true },
    [1, secret, secret],
    ' must not have duplicate items: items 1 and 2 are equal',
  ],
  [
    'contains',
    { contains: { const: 1 } },
    [secret],
    ' must have at least 1 item that the schema in "contains" allows',
  ],
  [
    'contains',
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [1, secret],
    ' must have at least 2 and at most 3 items that the schema in "contains" allows',
  ],
  [
    'contains',
    { contains: { const: 1 }, minContains: 0, maxContains: 1 },
    [1, 1],
    ' must have at most 1 item that the schema in "contains" allows',
  ],
  ['minProperties', { minProperties: 1 }, {}, ' must have at least 1 property'],
  ['maxProperties', { maxProperties: 2 }, { a: secret, b: 1, c: 1 }, ' must have at most 2 properties'],
  ['required', { required: ['a/b'] }, { c: secret }, '/a~1b is required'],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: secret }, '/b is required if a is present'],
  ['additionalProperties', { additionalProperties: false }, { a: secret }, '/a is not allowed'],
  ['unevaluatedProperties', { unevaluatedProperties: false }, { a: secret }, '/a is not allowed'],
  ['false schema', { properties: { a: false } }, { a: secret }, '/a is not allowed'],
  ['not', { not: { type: 'string' } }, secret, ' must not match the schema in "not"'],
];

test.each(table)('words %s: %j', (_keyword, schema, value, message) => {
  expect(explain(schema, value)).toEqual([message]);
  // With `contains`, Ajv also reports what is wrong with each item.
  expect(explainWithAjv(schema, value).at(-1)).toBe(message);
  expect(message).not.toContain(secret);
  expect(message.length).toBeLessThan(200);
});

test.each(table)('rewords the text of Ajv for %s: %j', (keyword, schema, value, message) => {
  const validate = ajvWithMessages.compile(schema);
  validate(value);
  const error = validate.errors?.at(-1);
  const reworded = rewordAjvMessage(error?.message ?? '', error?.params.allowedValues);
  // The text has neither the constant nor, for a missing or extra property, its name.
  const expected = keyword === 'const' ? 'is not allowed' : message.replace(/^\S* /, '');
  expect(reworded).toBe(expected);
  expect(rewordAjvMessage('unsupported media type text/csv')).toBe('unsupported media type text/csv');
});

test.each<[schema: object, value: unknown, message: string]>([
  [{ propertyNames: { maxLength: 1 } }, { ab: secret }, '/ab has a name that is not allowed'],
  [{ anyOf: [{ minimum: 5 }, { maximum: 3 }] }, 4, ' must match at least one schema in "anyOf"'],
  [
    { oneOf: [{ minimum: 5 }, { maximum: 3 }] },
    4,
    ' must match exactly one schema in "oneOf", but matches none',
  ],
  [
    { oneOf: [{ type: 'string' }, {}] },
    secret,
    ' must match exactly one schema in "oneOf", but matches several',
  ],
])('words keywords that apply schemas: %j', (schema, value, message) => {
  expect(explain(schema, value)).toEqual([message]);
  expect(explainWithAjv(schema, value)).toContain(message);
});

test('every keyword that Ajv reports has a wording', () => {
  const { all } = createAjv({}).RULES;
  const reported = Object.keys(all).filter((keyword) => {
    const rule = all[keyword];
    return typeof rule === 'object' && rule.definition.error !== undefined;
  });
  expect(reported).toContain('minLength');
  expect(reported.filter((keyword) => !hasWording(keyword))).toEqual([]);
});
