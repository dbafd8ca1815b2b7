import { type Wording, wordingOf } from './wording.ts';

type Reading = [wording: Wording, params?: Readonly<Record<string, unknown>>];

const sizes: Readonly<Record<string, readonly [least: Wording, most: Wording]>> = {
  characters: ['minLength', 'maxLength'],
  items: ['minItems', 'maxItems'],
  properties: ['minProperties', 'maxProperties'],
};

const comparisons: Readonly<Record<string, Wording>> = {
  '>=': 'minimum',
  '<=': 'maximum',
  '>': 'exclusiveMinimum',
  '<': 'exclusiveMaximum',
};

/** The messages of Ajv (https://ajv.js.org/api.html#error-objects), and how to read the parameters in them. */
const messages: readonly [pattern: RegExp, read: (...groups: string[]) => Reading][] = [
  [
    /^(?:type )?must be ((?:(?:array|boolean|integer|null|number|object|string),?)+)$/,
    (types = '') => ['type', { type: types.split(',') }],
  ],
  [/^must NOT have fewer than (\d+) (\w+)$/, (limit, noun = '') => [sizes[noun]?.[0] ?? 'schema', { limit }]],
  [/^must NOT have more than (\d+) (\w+)$/, (limit, noun = '') => [sizes[noun]?.[1] ?? 'schema', { limit }]],
  [/^must be ([<>]=?) (\S+)$/, (sign = '', limit) => [comparisons[sign] ?? 'schema', { limit }]],
  [/^must be multiple of (\S+)$/, (multipleOf) => ['multipleOf', { multipleOf }]],
  [/^must match pattern "(.*)"$/s, (pattern) => ['pattern', { pattern }]],
  [/^must match format "(.*)"$/, (format) => ['format', { format }]],
  [/^must have required property '.*'$/, () => ['required']],
  [
    /^must have propert(?:y|ies) .* when property (.*) is present$/,
    (property) => ['dependentRequired', { property }],
  ],
  [/^must NOT have (?:additional|unevaluated) properties$/, () => ['additionalProperties']],
  [/^must be equal to /, () => ['enum']],
  [
    /^must NOT have duplicate items \(items ## (\d+) and (\d+) are identical\)$/,
    (j, i) => ['uniqueItems', { i, j }],
  ],
  [
    /^must contain at least (\d+)(?: and no more than (\d+))? valid item\(s\)$/,
    (minContains, maxContains) => ['contains', { minContains, maxContains }],
  ],
  [/^must match exactly one schema in oneOf$/, () => ['oneOf']],
  [/^must match a schema in anyOf$/, () => ['anyOf']],
  [/^must match "(then|else)" schema$/, (failingKeyword) => ['if', { failingKeyword }]],
  [/^must NOT be valid$/, () => ['not']],
  [/^boolean schema is false$/, () => ['false schema']],
  [/^property name must be valid$/, () => ['propertyNames']],
];

/**
 * Returns a message of Ajv in our wording, for tools that return only its text. Other messages are returned unchanged.
 * @param allowedValues of an enumeration, which are not in the text
 */
export function rewordAjvMessage(message: string, allowedValues: readonly unknown[] = []): string {
  for (const [pattern, read] of messages) {
    const found = pattern.exec(message);
    if (!found) continue;
    const [wording, params = {}] = read(...found.slice(1));
    return wordingOf(wording, { allowedValues, ...params });
  }
  return message;
}
