/** A parameter with a value that a client sends. */
export interface ParameterRow {
  title: string;
  parameter: { name: string; in: 'path' | 'query' | 'header' | 'cookie' } & Record<string, unknown>;
  value: unknown;
}

const text = { type: 'string' };
const list = (items: object) => ({ type: 'array', items });
const object = (properties: object) => ({ type: 'object', properties });
/** Characters that separate values in a style or parts of a URL, and those that must be encoded. */
const characters = `it's a/b?c&d=e#f%2C;g,h|i.j+k"[l]ü😀`;
const inHeaders = 'a/b?c&d=e#f%2C;g|i.j+"[l]';

/** Values by kind, with a schema. In a header, values that are split have no commas. */
const kinds: Record<string, { schema: object; value: unknown; inHeader?: unknown }> = {
  'a string': { schema: text, value: characters, inHeader: inHeaders },
  'an integer': { schema: { type: 'integer' }, value: -7 },
  'a number': { schema: { type: 'number' }, value: 1.5 },
  'a boolean': { schema: { type: 'boolean' }, value: false },
  'a list': { schema: list(text), value: ['a', characters, 'b'], inHeader: ['a', inHeaders, 'b'] },
  'a list with one item': { schema: list({ type: 'integer' }), value: [7] },
  'a list with null': { schema: list({ type: ['integer', 'null'] }), value: [1, null, 2] },
  'a list of objects': {
    schema: list(object({ a: { type: 'integer' } })),
    value: [{ a: 1 }, { a: 2 }],
  },
  'an object': {
    schema: object({ R: { type: 'integer' }, 'G&=': text, off: { type: 'boolean' } }),
    value: { R: 100, 'G&=': characters, off: false },
    inHeader: { R: 100, off: false },
  },
  'an object with plain names': {
    schema: object({ R: { type: 'integer' }, G: text }),
    value: { R: 100, G: characters },
    inHeader: { R: 100, G: inHeaders },
  },
  'an open object': {
    schema: { type: 'object', additionalProperties: text },
    value: { 'a&b/c,d': 'c', d: characters },
    inHeader: { d: inHeaders },
  },
  'an object with a list': {
    schema: object({ tags: list(text), n: { type: 'integer' } }),
    value: { tags: ['a', 'b'], n: 1 },
    inHeader: { tags: ['a'], n: 1 },
  },
  'a nested object': {
    schema: object({ a: object({ b: text, list: list(object({ k: { type: 'integer' } })) }) }),
    value: { a: { b: characters, list: [{ k: 1 }, { k: 2 }] } },
  },
  'a string or a list': { schema: { oneOf: [{ type: 'integer' }, list(text)] }, value: ['a', 'b'] },
};

type Location = ParameterRow['parameter']['in'];
const styles: [Location, string, boolean][] = [
  ...['simple', 'label', 'matrix'].flatMap((style) => both('path', style)),
  ...['form', 'spaceDelimited', 'pipeDelimited'].flatMap((style) => both('query', style)),
  ['query', 'deepObject', true],
  ...both('header', 'simple'),
  ...both('cookie', 'form'),
];

function both(location: Location, style: string): [Location, string, boolean][] {
  return [
    [location, style, false],
    [location, style, true],
  ];
}

/** Whether no notation of a style expresses a value, or OpenAPI does not define one. */
function isImpossible([location, style, explode]: (typeof styles)[number], kind: string): boolean {
  const isObject = kind.includes('object');
  const isDelimited = style === 'spaceDelimited' || style === 'pipeDelimited';
  if (isDelimited && explode && isObject && kind !== 'a list of objects') return true;
  // JSON inside a header contains commas.
  if (location === 'header' && kind === 'a nested object') return true;
  if (style === 'deepObject') return /^(a string|an integer|a number|a boolean)$/.test(kind);
  // The names are those of cookies.
  return location === 'cookie' && explode && (kind === 'an object' || kind === 'an open object');
}

/** Removes the delimiter of a style from a value, which the encoded form of the style cannot express. */
function withoutDelimiter(style: string, value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll({ spaceDelimited: ' ', pipeDelimited: '|' }[style] ?? '\0', '_');
  if (Array.isArray(value)) return value.map((each) => withoutDelimiter(style, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutDelimiter(style, each)]),
  );
}

type Parameter = Partial<ParameterRow['parameter']>;
const row = (title: string, parameter: Parameter & { in: Location }, value: unknown): ParameterRow => ({
  title,
  parameter: { name: 'v', ...parameter },
  value,
});

const styled = styles.flatMap((style) =>
  Object.entries(kinds)
    .filter(([kind]) => !isImpossible(style, kind))
    .map(([kind, { schema, value, inHeader = value }]) => {
      const [location, name, explode] = style;
      const given = location === 'header' ? inHeader : value;
      const title = `${location} ${name}${explode ? ' exploded' : ''}: ${kind}`;
      return row(title, { in: location, style: name, explode, schema }, withoutDelimiter(name, given));
    }),
);

const inContent = (['path', 'query', 'header', 'cookie'] as const).flatMap((location) =>
  Object.entries(kinds).map(([kind, { schema, value }]) =>
    row(`${location} JSON: ${kind}`, { in: location, content: { 'application/json': { schema } } }, value),
  ),
);

/** Every style and value of `explode` with every kind of value, and other ways to describe parameters. */
export const parameterTable: readonly ParameterRow[] = [
  ...styled,
  ...inContent,
  row('query form: reserved characters', { in: 'query', allowReserved: true, schema: text }, characters),
  row('query form: an empty string', { in: 'query', schema: text }, ''),
  row('path matrix: an empty string', { in: 'path', style: 'matrix', schema: text }, ''),
  ...['a&b', 'a=b', 'a+b', 'a#b', 'a%20b', 'a b', 'ids[]', 'ü'].map((name) =>
    row(`query form: the name ${name}`, { name, in: 'query', schema: text }, characters),
  ),
  ...['.a', ';a', 'a*'].map((name) =>
    row(`path simple: the name ${name}`, { name, in: 'path', schema: list(text) }, ['a', 'b']),
  ),
  row(
    'path label exploded: a text of full stops',
    { in: 'path', style: 'label', explode: true, schema: list(text) },
    ['a.b', '.'],
  ),
  row('query form: an untyped value', { in: 'query', schema: {} }, ['a', 'b']),
  row('query text: a string', { in: 'query', content: { 'text/plain': { schema: text } } }, characters),
];
