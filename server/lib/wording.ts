/**
 * The wording of every reason why a value is refused: a fragment of a sentence that continues the location of the value,
 * such as `/name`. Messages have parts of schemas, but never a value of a request, because values can be secret.
 */

type Params = Readonly<Record<string, unknown>>;

/** Maximum length, in characters, of the values of an enumeration, or of a pattern, that a message shows. */
const maxShown = 120;

const [item, character, property] = [
  ['item', 'items'],
  ['character', 'characters'],
  ['property', 'properties'],
] as const;

const count = (number: unknown, [one, many]: readonly [string, string]): string =>
  `${number} ${Number(number) === 1 ? one : many}`;

const atLeast =
  (noun: readonly [string, string]) =>
  ({ limit }: Params): string =>
    `must have at least ${count(limit, noun)}`;

const atMost =
  (noun: readonly [string, string]) =>
  ({ limit }: Params): string =>
    Number(limit) === 0 ? 'must be empty' : `must have at most ${count(limit, noun)}`;

const notAllowed = (): string => 'is not allowed';

const named = (list: readonly string[], word: 'or' | 'and'): string =>
  [list.slice(0, -1).join(', '), ...list.slice(-1)].filter(Boolean).join(` ${word} `);

const article = (type: unknown): string =>
  type === 'null' ? 'null' : `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`;

/** Formats that are not named in `have the format`. */
const formats: Readonly<Record<string, string>> = {
  byte: 'base64',
  date: 'a date, such as 2024-05-17',
  'date-time': 'a timestamp, such as 2024-05-17T09:30:00Z',
  time: 'a time, such as 09:30:00Z',
  duration: 'a duration, such as P1DT12H',
  email: 'an e-mail address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  int32: 'an integer of 32 bits',
  int64: 'an integer of 64 bits',
  uint64: 'an integer of 64 bits without a sign',
  regex: 'a regular expression',
  uri: 'a URI, such as https://example.com/a',
  url: 'a URL, such as https://example.com/a',
  uuid: 'a UUID',
  'json-pointer': 'a JSON Pointer',
};

function formatWording(format: unknown): string {
  const known = Object.hasOwn(formats, String(format)) ? formats[String(format)] : undefined;
  return known === undefined ? `must have the format "${format}"` : `must be ${known}`;
}

/** A value of a schema. Texts have quotation marks only if they are needed. */
const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@+-]+( [\w./:@+-]+)*$/.test(value) && !isLiteral(value)
    ? value
    : JSON.stringify(value);

const isLiteral = (text: string): boolean => /^(true|false|null|-?\d.*)$/.test(text);

/** Lists the values of an enumeration, as far as there is room. */
function oneOf(values: readonly unknown[]): string {
  if (values.length === 0) return notAllowed();
  const texts: string[] = [];
  let room = maxShown;
  for (const value of values) {
    const text = shown(value);
    room -= text.length + 2;
    if (room < 0) break;
    texts.push(text);
  }
  const left = values.length - texts.length;
  if (texts.length === 0)
    return left === 1 ? 'must have the only allowed value' : `must be one of ${left} allowed values`;
  if (values.length === 1) return `must be ${texts[0]}`;
  return `must be one of: ${texts.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
}

function containing({ minContains = 1, maxContains }: Params): string {
  const limits = [
    ...(Number(minContains) === 0 ? [] : [`at least ${minContains}`]),
    ...(maxContains === undefined ? [] : [`at most ${maxContains}`]),
  ];
  return `must have ${limits.join(' and ')} ${Number(maxContains ?? minContains) === 1 ? 'item' : 'items'} that the schema in "contains" allows`;
}

const ifPresent = ({ property: other }: Params): string => `is required if ${other} is present`;

/** By keyword of JSON Schema, with the parameters that Ajv reports, and by fault of a parameter's text. */
const wordings = {
  type: ({ type, isFiles }) =>
    isFiles === true
      ? 'must be one file, and not several'
      : `must be ${named([type].flat().map(article), 'or')}`,
  const: ({ allowedValue }) => oneOf([allowedValue]),
  enum: ({ allowedValues }) => oneOf(Array.isArray(allowedValues) ? allowedValues : []),
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: atLeast(character),
  maxLength: atMost(character),
  pattern: ({ pattern }) =>
    String(pattern).length > maxShown ? 'must match its pattern' : `must match the pattern "${pattern}"`,
  format: ({ format }) => formatWording(format),
  minItems: atLeast(item),
  maxItems: atMost(item),
  items: atMost(item),
  unevaluatedItems: atMost(item),
  uniqueItems: ({ i, j }) => `must not have duplicate items: items ${j} and ${i} are equal`,
  contains: containing,
  minProperties: atLeast(property),
  maxProperties: atMost(property),
  required: () => 'is required',
  dependencies: ifPresent,
  dependentRequired: ifPresent,
  additionalProperties: notAllowed,
  unevaluatedProperties: notAllowed,
  'false schema': notAllowed,
  propertyNames: () => 'has a name that is not allowed',
  not: () => 'must not match the schema in "not"',
  anyOf: () => 'must match at least one schema in "anyOf"',
  oneOf: ({ passingSchemas }) =>
    `must match exactly one schema in "oneOf"${passingSchemas === undefined ? '' : `, but matches ${passingSchemas ? 'several' : 'none'}`}`,
  if: ({ failingKeyword }) => `must match the schema in "${failingKeyword}"`,
  forbidden: ({ reason }) => `is ${reason}`,
  depth: () => 'is nested too deeply',
  empty: () => 'is empty',
  encoding: () => 'is not percent-encoded correctly',
  json: () => 'must be JSON',
  mediaType: ({ mediaTypes }) => `must have the media type ${named([mediaTypes].flat().map(String), 'or')}`,
  pairs: () => 'must be a list of names and values',
  precision: () => 'is an integer that cannot be represented exactly',
  repeated: () => 'is repeated',
  schema: () => 'does not conform to its schema',
  style: ({ style }) => `must have the style ${style}`,
  treeItems: () => 'has items that are neither numbered from 0 without gaps nor all sent as []',
  treeValue: () => 'has both a value and properties',
  wholeObject: () => 'must be sent as one parameter for each property',
} satisfies Record<string, (params: Params) => string>;

export type Wording = keyof typeof wordings;

const table: Readonly<Record<Wording, (params: Params) => string>> = wordings;

/**
 * Returns the requirement that a value does not meet: `must have at least 1 character`.
 * @param params of the violated keyword, as Ajv reports them
 */
export const wordingOf = (wording: Wording, params: Params = {}): string => table[wording](params);

/** Whether a keyword has a wording of its own. */
export const hasWording = (keyword: string): keyword is Wording => Object.hasOwn(table, keyword);
