import { bodyFormatOf } from '../../../server/contract/media-type.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import {
  type ParameterRule,
  serializeBody,
  writeCookies,
  writeHeader,
  writePath,
  writeQuery,
} from '../../contract/generate/client/serialize-parameters.ts';
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
export function serializeRequest({ operation, body, ...values }: GeneratedRequest): SerializedRequest {
  const rules = operation.parameters.map(ruleOf);
  // express-openapi-validator rejects these reserved characters (RFC 3986), which `encodeURIComponent` keeps.
  const query = writeQuery(rules, values.query).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const headers = Object.entries(values.header).map(([name, value]) => {
    const rule = rules.find((each) => each.in === 'header' && each.name === name);
    return [name, writeHeader(rule ?? { name, in: 'header', style: 'simple', explode: false }, value)];
  });
  const cookies = writeCookies(
    rules.filter((each) => each.in === 'cookie'),
    values.cookie,
  );
  return {
    method: operation.method.toUpperCase(),
    basePath: operation.basePath,
    target: writePath(rules, operation.path, values.path) + (query === '' ? '' : `?${query}`),
    headers: {
      ...Object.fromEntries(headers),
      ...(cookies === undefined ? {} : { Cookie: cookies }),
      ...(body === undefined ? {} : { 'Content-Type': contentTypeOf(body.mediaType) }),
    },
    body: body === undefined ? undefined : bodyText(body, operation.files),
  };
}

const ruleOf = ({ name, in: location, style, explode, mediaType }: RequestParameter): ParameterRule => ({
  ...{ name, in: location, explode },
  style: mediaType === undefined ? style : 'json',
});

/** Returns a string unchanged, and any other value as JSON. */
export function toParameterText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bodyText(
  { mediaType, value }: { mediaType: string; value: unknown },
  files: TestedOperation['files'],
): string {
  const format = bodyFormatOf(mediaType);
  if (format === 'form' && isObject(value))
    return String(serializeBody({ kind: 'urlencoded', fields: [] }, value));
  if (format === 'multipart' && isObject(value)) return multipartText(value, files);
  if (format === 'json' || typeof value !== 'string') return JSON.stringify(value);
  return value;
}

const boundary = 'boundary-of-the-parts';

/** Returns the Content-Type of a body: that of a form with parts names the text between them. */
export const contentTypeOf = (mediaType: string): string =>
  mediaType.startsWith('multipart/') ? `${mediaType}; boundary=${boundary}` : mediaType;

/**
 * Writes a form (RFC 7578). An array becomes one part per item, and an object is written as JSON.
 * @param files the media types of the parts that are files: they have a file name (section 4.2)
 */
export function multipartText(form: Record<string, unknown>, files?: TestedOperation['files']): string {
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

/** A request with its expected result. */
export interface TestCase {
  request: GeneratedRequest;
  /** A description: `maxLength of /first_name, one above`. */
  what: string;
  /** The violation; undefined for a valid request. */
  wrong: InvalidInput | undefined;
  /** The part whose value is tested, and must be sent as it is: `path/id`, `header/Idempotency-Key`, `body`. */
  part?: string;
  /** Overrides parts of the serialized request. */
  instead?: Partial<SerializedRequest>;
}

export interface InvalidInput {
  /**
   * - broken: the request violates a schema
   * - malformed: the request body cannot be parsed
   * - mediaType: the operation does not accept the media type of the request
   * - unknown: the request has read-only properties, which a service may reject or ignore
   */
  kind: 'broken' | 'malformed' | 'mediaType' | 'unknown';
  keyword: string;
  /** The location that the error response is expected to name (D26): `/first_name`, `body`, `query/page`. */
  field: string;
}
