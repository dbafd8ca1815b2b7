import { isObject } from '../../../../server/lib/json-object.ts';

/** How a client sends a parameter that openapi-fetch would send in another way. */
export interface ParameterRule {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  /** A style of OpenAPI, or `json` for a parameter that is described with `content`. */
  style: string;
  explode: boolean;
}

type Encode = (text: string) => string;

const encode: Encode = encodeURIComponent;

/** Styles do not define values inside values, so these are JSON. */
function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the properties of an object with their values. @param repeats whether a list is sent as one value per item */
const entriesOf = (value: object, repeats: boolean): [name: string, value: unknown][] =>
  Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (each === undefined) return [];
    return repeats && Array.isArray(each) ? each.map((item) => [name, item]) : [[name, each]];
  });

/** Returns the texts of a value: the items of a list, `name=value` or `name`, `value` of an object, or the value itself. */
function partsOf(value: unknown, explode: boolean, write: Encode = encode): string[] {
  if (Array.isArray(value)) return value.map((item) => write(textOf(item)));
  if (!isObject(value)) return [write(textOf(value))];
  const entries = entriesOf(value, explode).map(([name, each]) => [write(name), write(textOf(each))]);
  return explode ? entries.map((entry) => entry.join('=')) : entries.flat();
}

const defaultRule = { in: 'query', explode: true } as const;

/**
 * Writes a query. Parameters without a rule are written as openapi-fetch writes them.
 * @param values by name; `undefined` and `null` are not sent
 * @throws TypeError if the style of a parameter cannot express a value
 */
export function writeQuery(
  rules: readonly ParameterRule[],
  values: Readonly<Record<string, unknown>>,
): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([name, value]) => {
      const rule = rules.find((each) => each.in === 'query' && each.name === name);
      return pairsOf(rule ?? { ...defaultRule, name, style: isList(value) ? 'form' : 'deepObject' }, value);
    })
    .join('&');
}

const isList = (value: unknown): boolean => Array.isArray(value);

function pairsOf(rule: ParameterRule, value: unknown): string[] {
  const { name, style, explode } = rule;
  const own = encode(name);
  if (style === 'json') return [`${own}=${encode(JSON.stringify(value))}`];
  if (style === 'deepObject') return bracketPairs(rule, own, value);
  if (Array.isArray(value) && value.length === 0) return [];
  if (explode && isObject(value)) return partsOf(value, true);
  if (explode) return partsOf(value, true).map((part) => `${own}=${part}`);
  return [`${own}=${typeof value === 'object' ? delimited(rule, value) : encode(textOf(value))}`];
}

const delimiters: Readonly<Record<string, readonly [delimiter: string, text: string]>> = {
  spaceDelimited: ['%20', ' '],
  pipeDelimited: ['%7C', '|'],
};

function delimited(rule: ParameterRule, value: unknown): string {
  const [delimiter, text] = delimiters[rule.style] ?? [','];
  return partsOf(value, false, (part) => {
    if (text !== undefined && part.includes(text)) throw cannotSend(rule, `values with "${text}"`);
    return encode(part);
  }).join(delimiter);
}

function bracketPairs(rule: ParameterRule, name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${name}=${encode(textOf(value))}`];
  return entriesOf(value, false).flatMap(([property, each]) => {
    if (/[[\]]/.test(property)) throw cannotSend(rule, 'names with brackets');
    return bracketPairs(rule, `${name}%5B${encode(property)}%5D`, each);
  });
}

/**
 * Writes a path. Parameters without a rule are written as openapi-fetch writes them.
 * @param template with expressions such as `{id}`
 */
export const writePath = (
  rules: readonly ParameterRule[],
  template: string,
  values: Readonly<Record<string, unknown>>,
): string =>
  template.replaceAll(/\{([^{}]+)\}/g, (expression, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null) return expression;
    const rule = rules.find((each) => each.in === 'path' && each.name === name);
    return segmentOf(rule ?? { name, in: 'path', style: 'simple', explode: false }, value);
  });

function segmentOf({ name, style, explode }: ParameterRule, value: unknown): string {
  if (style === 'json') return encode(JSON.stringify(value));
  if (style === 'label') {
    // Full stops separate exploded parts, and those of a single value stay as they are.
    const inParts: Encode = (text) => encode(text).replaceAll('.', '%2E');
    const isSplit = explode && typeof value === 'object';
    return `.${partsOf(value, explode, isSplit ? inParts : encode).join(explode ? '.' : ',')}`;
  }
  const parts = partsOf(value, explode);
  if (style !== 'matrix') return parts.join(',');
  const own = encode(name);
  if (explode && isObject(value)) return `;${parts.join(';')}`;
  const texts = explode ? parts : [parts.join(',')];
  return texts.map((text) => (text === '' ? `;${own}` : `;${own}=${text}`)).join('');
}

/**
 * Writes a header. Headers are not percent-encoded.
 * @throws TypeError if a list or an object has a value that would be split
 */
export function writeHeader(rule: ParameterRule, value: unknown): string {
  if (rule.style === 'json')
    return JSON.stringify(value).replaceAll(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  if (typeof value !== 'object') return textOf(value);
  if (rule.explode && isObject(value) && Object.keys(value).some((name) => name.includes('=')))
    throw cannotSend(rule, 'names with "="');
  return partsOf(value, rule.explode, (text) => {
    if (text.includes(',')) throw cannotSend(rule, 'values with ","');
    if (text !== text.trim()) throw cannotSend(rule, 'values with spaces around them');
    return text;
  }).join(',');
}

/** Writes the cookies of a request, as the value of the header `Cookie`; undefined without cookies. */
export function writeCookies(
  rules: readonly ParameterRule[],
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  const cookies = rules.flatMap((rule) => {
    const value = rule.in === 'cookie' && Object.hasOwn(values, rule.name) ? values[rule.name] : undefined;
    return value === undefined || value === null ? [] : cookiesOf(rule, value);
  });
  return cookies.length > 0 ? cookies.join('; ') : undefined;
}

function cookiesOf(rule: ParameterRule, value: unknown): string[] {
  const { name, style, explode } = rule;
  if (style === 'json') return [`${name}=${encode(JSON.stringify(value))}`];
  if (explode && isObject(value) && Object.keys(value).some((each) => encode(each) !== each))
    throw cannotSend(rule, 'names with special characters');
  const parts = partsOf(value, explode);
  if (explode && isObject(value)) return parts;
  return (explode ? parts : [parts.join(',')]).map((part) => `${name}=${part}`);
}

const cannotSend = ({ in: location, name, style }: ParameterRule, what: string): TypeError =>
  new TypeError(
    `The parameter ${name} in the ${location} has the style ${style}, which cannot express ${what}. Send other values, or describe the parameter with content: application/json.`,
  );

/** How a client sends a body that openapi-fetch would send as JSON. */
export interface BodyRule {
  kind: 'multipart' | 'multipart if it has files' | 'urlencoded' | 'json' | 'bytes';
  /** The media type, unless the form or the file has its own. */
  type?: string;
  /** How the properties with an encoding of their own are sent. */
  fields: readonly ParameterRule[];
}

/**
 * Writes the body of a request. Without an encoding of their own, objects in a form are JSON, and lists one value per item.
 * @param body the body of the call; `FormData` and other classes stay as they are
 * @throws TypeError if the encoding of a property cannot express a value, or an object is neither JSON nor a form
 */
export function serializeBody({ kind, type, fields }: BodyRule, body: unknown): unknown {
  if (kind === 'json') return JSON.stringify(body);
  if (kind === 'bytes' && (isPlain(body) || Array.isArray(body)))
    throw new TypeError(
      `A body of ${type ?? 'this media type'} is a text or bytes: write the value yourself.`,
    );
  if (kind === 'bytes' && typeof body !== 'object') return String(body);
  if (!isPlain(body)) return body;
  const files = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().flatMap((each: unknown) => (each instanceof Blob ? [[name, each] as const] : [])),
  );
  if (kind === 'multipart if it has files' && files.length === 0) return JSON.stringify(body);
  const names = new Set(files.map(([name]) => name));
  const others = Object.entries(body).filter(([name]) => !names.has(name));
  const isEncoded = (name: string) => fields.some((field) => field.name === name);
  const texts = others.map(([name, value]): [string, unknown] => [
    name,
    isObject(value) && !isEncoded(name) ? JSON.stringify(value) : value,
  ]);
  const query = writeQuery(fields, Object.fromEntries(texts));
  if (kind === 'urlencoded') return query;
  const sent = new FormData();
  for (const [name, value] of new URLSearchParams(query)) sent.append(name, value);
  for (const [name, file] of files) sent.append(name, file);
  return sent;
}

/** Whether a value is an object of properties, and not one of a class such as `FormData`. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
