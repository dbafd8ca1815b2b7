import { isObject } from '../../../server/lib/json-object.ts';
import { wrongCredentials } from '../../contract/mock/authenticate.ts';
import { percentDecode } from '../../lib/json-pointer.ts';
import { shellQuoted } from '../../lib/shell-text.ts';
import type { RequestParameter, TestedOperation } from './operations.ts';

/** A request before serialization: the values of its parameters and its body. */
export interface GeneratedRequest {
  operation: TestedOperation;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  cookie: Record<string, unknown>;
  /** Undefined if there is no body. */
  body?: { mediaType: string; value: unknown } | undefined;
}

export interface SerializedRequest {
  method: string;
  /** The base path of the operation's own server, which replaces the path of the service's URL. */
  basePath?: string | undefined;
  /** Path and query, percent-encoded. */
  target: string;
  /** The value is an array if the header is repeated. */
  headers: Record<string, string | string[]>;
  body: string | undefined;
}

/** Serializes a request as OpenAPI defines: each parameter by its style, the body by its media type. */
export function serializeRequest({
  operation,
  path,
  query,
  header,
  cookie,
  body,
}: GeneratedRequest): SerializedRequest {
  const of = (location: RequestParameter['in']) =>
    operation.parameters.filter((parameter) => parameter.in === location);
  const target = of('path').reduce(
    (text, parameter) =>
      text.replaceAll(`{${parameter.name}}`, () => inPath(parameter, path[parameter.name])),
    operation.path,
  );
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const parameter = of('query').find((each) => each.name === name);
    return parameter ? inQuery(parameter, value) : [`${encode(name)}=${encode(toParameterText(value))}`];
  });
  const cookies = Object.entries(cookie).map(([name, value]) => `${name}=${encode(toParameterText(value))}`);
  const headers = Object.fromEntries(
    Object.entries(header).map(([name, value]) => {
      const parameter = of('header').find((each) => each.name === name);
      return [
        name,
        parameter?.mediaType ? JSON.stringify(value) : joined(value, ',', parameter?.explode ?? false),
      ];
    }),
  );
  return {
    method: operation.method.toUpperCase(),
    basePath: operation.basePath,
    target: target + (pairs.length > 0 ? `?${pairs.join('&')}` : ''),
    headers: {
      ...headers,
      ...(cookies.length > 0 ? { Cookie: cookies.join('; ') } : {}),
      ...(body === undefined ? {} : { 'Content-Type': contentTypeOf(body.mediaType) }),
    },
    body: body === undefined ? undefined : bodyText(body, operation.files),
  };
}

// `encodeURIComponent` keeps `!'()*`, which RFC 3986 reserves, and dots. A segment of one or two dots would be
// normalized.
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%2E'));

/** Returns a string unchanged, and any other value as JSON. */
export function toParameterText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Joins the items of an array, or the names and values of an object, with a delimiter. */
function joined(
  value: unknown,
  delimiter: string,
  explode: boolean,
  write: (text: string) => string = String,
): string {
  if (Array.isArray(value)) return value.map((item) => write(toParameterText(item))).join(delimiter);
  if (!isObject(value)) return write(toParameterText(value));
  return Object.entries(value)
    .map(([name, inner]) => `${write(name)}${explode ? '=' : delimiter}${write(toParameterText(inner))}`)
    .join(delimiter);
}

function inPath({ name, style, explode, mediaType }: RequestParameter, value: unknown): string {
  if (mediaType !== undefined) return encode(JSON.stringify(value));
  if (style === 'label') return `.${joined(value, explode ? '.' : ',', explode, encode)}`;
  if (style !== 'matrix') return joined(value, ',', explode, encode);
  if (explode && Array.isArray(value))
    return value.map((item) => `;${name}=${encode(toParameterText(item))}`).join('');
  if (explode && isObject(value)) return `;${joined(value, ';', true, encode)}`;
  return `;${name}=${joined(value, ',', false, encode)}`;
}

const delimiters: Record<string, string> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

function inQuery({ name, style, explode, mediaType }: RequestParameter, value: unknown): string[] {
  if (mediaType !== undefined) return [`${encode(name)}=${encode(JSON.stringify(value))}`];
  if (style === 'deepObject' && isObject(value))
    return Object.entries(value).map(
      ([inner, each]) => `${encode(`${name}[${inner}]`)}=${encode(toParameterText(each))}`,
    );
  if (explode && Array.isArray(value))
    return value.map((item) => `${encode(name)}=${encode(toParameterText(item))}`);
  if (explode && isObject(value))
    return Object.entries(value).map(([inner, each]) => `${encode(inner)}=${encode(toParameterText(each))}`);
  return [`${encode(name)}=${joined(value, delimiters[style] ?? ',', false, encode)}`];
}

function bodyText(
  { mediaType, value }: { mediaType: string; value: unknown },
  files: TestedOperation['files'],
): string {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded' && isObject(value))
    return new URLSearchParams(
      // By default, an array becomes one pair per item, all with the same name.
      Object.entries(value).flatMap(([name, each]) =>
        [each].flat().map((item): [string, string] => [name, toParameterText(item)]),
      ),
    ).toString();
  if (type === 'multipart/form-data' && isObject(value)) return multipartText(value, files);
  if (/[/+]json$/.test(type) || typeof value !== 'string') return JSON.stringify(value);
  return value;
}

const boundary = 'boundary-of-the-parts';

const contentTypeOf = (mediaType: string): string =>
  mediaType === 'multipart/form-data' ? `${mediaType}; boundary=${boundary}` : mediaType;

/**
 * Writes a form (RFC 7578). An array becomes one part per item, and an object is written as JSON.
 * @param files the media types of the parts that are files: they have a file name (section 4.2)
 */
function multipartText(form: Record<string, unknown>, files: TestedOperation['files']): string {
  const parts = Object.entries(form).flatMap(([name, each]) =>
    [each].flat().map((value: unknown) => {
      // Browsers escape these characters in names (HTML, section 4.10.21.8).
      const written = name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
      const fileType = files?.get(name);
      const file = fileType ? `; filename="file.bin"\r\nContent-Type: ${fileType}` : '';
      return `--${boundary}\r\nContent-Disposition: form-data; name="${written}"${file}\r\n\r\n${toParameterText(value)}\r\n`;
    }),
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}

const inQuotes = (text: string): string => text.replaceAll("'", "'\\''");
/** Returns the name of the shell variable for a credential, without `$`: `AUTHORIZATION`. */
export const shellVariable = (name: string): string =>
  // The name of a variable does not begin with a digit.
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d|$)/, '_');

/**
 * Formats a request as a curl command.
 * @param secret names of headers and query parameters that carry credentials; shell variables replace their values,
 * except the wrong ones that a test sends on purpose
 */
export function toCurl(
  base: string,
  { method, basePath, target, headers, body }: SerializedRequest,
  secret: readonly string[],
): string {
  const isSecret = (name: string, values: string | string[]) =>
    secret.some((each) => each.toLowerCase() === name.toLowerCase()) &&
    !Object.values(wrongCredentials).some((wrong) => values.includes(wrong));
  const written = Object.entries(headers).flatMap(([name, values]) => {
    if (isSecret(name, values))
      return [
        // Header names may contain `$` and backticks.
        /^[\w-]+$/.test(name)
          ? `-H "${name}: $${shellVariable(name)}"`
          : `-H ${shellQuoted(`${name}: `)}"$${shellVariable(name)}"`,
      ];
    return [values]
      .flat()
      .map((value) => `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  });
  const [path = '', ...query] = target.split(/(?=[?&])/);
  const pairs = query.map((pair) => {
    const [, mark = '', name = ''] = /^([?&])([^=]*)/.exec(pair) ?? [];
    return isSecret(percentDecode(name), pair)
      ? `${mark}${inQuotes(name)}='"$${shellVariable(percentDecode(name))}"'`
      : inQuotes(pair);
  });
  const root = basePath === undefined ? base : new URL(base).origin + basePath;
  const url = `'${inQuotes(root + path)}${pairs.join('')}'`.replace(/"''$/, '"');
  return [
    'curl -i --path-as-is',
    ...(method === 'GET' && body === undefined ? [] : [method === 'HEAD' ? '--head' : `-X ${method}`]),
    ...written,
    ...(body === undefined ? [] : [`--data-binary ${shellQuoted(body)}`]),
    url,
  ].join(' ');
}
