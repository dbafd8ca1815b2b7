import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { documentedType, isJson, parseMediaType } from '../../contract/media-type.ts';
import type { CompiledOperation } from '../../contract/operation.ts';
import {
  documentedStatus,
  ResponseValidationError,
  soleType,
  validateHeader,
  validateStatusAndBody,
  withoutContent,
} from '../../contract/validate-response.ts';
import { fieldOf } from '../../lib/field-error.ts';
import { wordingOf } from '../../lib/wording.ts';

/** Returns the media type of a response with its parameters, in lower case; empty if it has none. */
export const mediaTypeOf = (res: ServerResponse): string =>
  String(res.getHeader('content-type') ?? '').toLowerCase();

/**
 * Returns why the status, the media type or a header of a response violates the contract, regardless of its body.
 * @param isComplete whether no other middleware can add headers
 */
export function problemInHead(
  operation: CompiledOperation,
  res: ServerResponse,
  isComplete: boolean,
): string | undefined {
  if (Object.keys(operation.responses).length === 0 || isOfHttp(operation, res)) return undefined;
  const mediaType = mediaTypeOf(res);
  if (!documentedResponse(operation, res)) return `${operation.id} documents no status ${res.statusCode}`;
  const isUndocumented =
    documentedType(documentedTypes(operation, res), mediaType) === undefined &&
    !isRedirectionNote(operation, res);
  return isUndocumented
    ? `the media type ${mediaType || '(none named)'} is not documented`
    : problemInHeaders(operation, res, isComplete);
}

/**
 * Whether a function such as `res.sendFile` has responded to a conditional request or a range request (RFC 9110, sections
 * 13 and 14), with a part of a response that conforms, or with none of it.
 */
function isOfHttp({ responses }: CompiledOperation, res: ServerResponse): boolean {
  const { statusCode: status, req } = res;
  if (status === 304) return true;
  if (req.headers.range === undefined) return false;
  // `2XX` and `default` describe whole bodies. Parts of JSON cannot be validated, so no client can ask for unvalidated JSON.
  if (status === 206) return !Object.hasOwn(responses, '206') && !isJson(mediaTypeOf(res));
  return status === 416 && documentedStatus(responses, status) === undefined;
}

function documentedResponse({ responses }: CompiledOperation, res: ServerResponse) {
  const status = documentedStatus(responses, res.statusCode);
  return status === undefined ? undefined : responses[status];
}

const documentedTypes = (operation: CompiledOperation, res: ServerResponse): string[] =>
  Object.keys(documentedResponse(operation, res)?.content ?? {});

/** OpenAPI ignores a documented Content-Type. Node sets the others when it sends a response. */
const setLater = ['content-type', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date'];

/** Undocumented headers are no problem, because middleware adds some. */
function problemInHeaders(
  operation: CompiledOperation,
  res: ServerResponse,
  isComplete: boolean,
): string | undefined {
  try {
    for (const header of documentedResponse(operation, res)?.headers ?? []) {
      const { name, required } = header;
      if (setLater.includes(name)) continue;
      const given = res.getHeader(name);
      if (given === undefined && required && isComplete)
        throw new ResponseValidationError(`${fieldOf('header', `/${name}`)} ${wordingOf('required')}`);
      // Several cookies are not a list.
      if (name !== 'set-cookie' && given !== undefined)
        validateHeader(operation, header, typeof given === 'string' ? given : [given].flat().join(', '));
    }
    return undefined;
  } catch (error) {
    if (error instanceof ResponseValidationError) return error.message;
    throw error;
  }
}

/**
 * Returns the violations of a response; undefined if it conforms.
 * @param body what the route has written
 * @param limit maximum size of a decoded body, in bytes
 * @param isComplete whether no other middleware can add headers
 * @param known the value of the body, if it is known
 */
export function problemIn(
  operation: CompiledOperation,
  res: ServerResponse,
  body: string | Buffer,
  limit: number,
  isComplete: boolean,
  known?: { value: unknown },
): string | undefined {
  const { statusCode: status } = res;
  if (isOfHttp(operation, res)) return undefined;
  const isEmpty = res.req.method === 'HEAD' || withoutContent.includes(status);
  const hasBody = !isEmpty && !isRedirectionNote(operation, res);
  try {
    const isRead = hasBody && (body.length > 0 || isEmptyText(operation, res));
    const response = isRead ? read(operation, res, decoded(res, body, limit), known) : {};
    validateStatusAndBody(operation, { status, ...response }, hasBody);
    return problemInHeaders(operation, res, isComplete);
  } catch (error) {
    if (error instanceof ResponseValidationError) return error.message;
    if (error instanceof BodyTooLarge) return problemInHead(operation, res, isComplete);
    // A body that cannot be validated is not sent either.
    return `the body cannot be validated: ${error instanceof Error ? error.name : 'unknown error'}`;
  }
}

/**
 * Whether a response is a redirection without a documented body. Express writes a short note for people into it, as RFC
 * 9110, section 15.4, recommends, and clients follow the Location header.
 */
const isRedirectionNote = (operation: CompiledOperation, res: ServerResponse): boolean =>
  /^3/.test(String(res.statusCode)) &&
  res.hasHeader('location') &&
  documentedResponse(operation, res) !== undefined &&
  documentedTypes(operation, res).length === 0;

/** Whether a body of no bytes is a documented text or file, such as a list in CSV without lines, and not a missing body. */
function isEmptyText(operation: CompiledOperation, res: ServerResponse): boolean {
  const mediaType = mediaTypeOf(res);
  return mediaType !== '' && !isJson(mediaType) && documentedTypes(operation, res).length > 0;
}

/**
 * Returns whether a response is the page that Express sends after all routes and error handlers, and whether it is the one
 * for requests that none of them has answered.
 */
export function pageOfExpress(
  res: ServerResponse,
  body: string | Buffer = '',
): 'unanswered' | 'error' | undefined {
  const isPage =
    res.getHeader('content-security-policy') === "default-src 'none'" &&
    body.includes('<title>Error</title>');
  if (!isPage) return undefined;
  return res.statusCode === 404 && body.includes('<pre>Cannot ') ? 'unanswered' : 'error';
}

/** Parses a body as clients will. @throws ResponseValidationError if they cannot, or may read different values */
function read(
  operation: CompiledOperation,
  res: ServerResponse,
  body: string | Buffer,
  known: { value: unknown } | undefined,
): { body: unknown; mediaType: string } {
  const mediaType = mediaTypeOf(res) || soleType(documentedTypes(operation, res)) || '';
  if (!isJson(mediaType)) return { body: body.toString(), mediaType };
  if (parseMediaType(mediaType) === undefined)
    throw new ResponseValidationError('the charset of JSON must be UTF-8');
  if (known) return { body: known.value, mediaType };
  let value: unknown;
  const text = textOf(body);
  try {
    value = JSON.parse(text ?? '');
  } catch {
    throw new ResponseValidationError('the body is not JSON');
  }
  if (text !== undefined && hasDuplicateNames(text, value))
    throw new ResponseValidationError('an object of the body has two properties with the same name');
  return { body: value, mediaType };
}

/** @returns undefined if the bytes are not UTF-8 */
function textOf(body: string | Buffer): string | undefined {
  // Half the time of a `TextDecoder` that throws errors.
  return typeof body === 'string' || isUtf8(body) ? body.toString() : undefined;
}

/** The decoded body is larger than what is validated. */
class BodyTooLarge extends Error {}

const decoders: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Removes the content codings that middleware between the route and this one has applied, such as compression. */
function decoded(res: ServerResponse, body: string | Buffer, limit: number): string | Buffer {
  const codings = String(res.getHeader('content-encoding') ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return body;
  return codings.reduceRight<Buffer>((bytes, coding) => {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (!decode) throw new ResponseValidationError(`the content coding ${coding} cannot be validated`);
    try {
      return decode(bytes, { maxOutputLength: limit });
    } catch (error) {
      if (error instanceof RangeError) throw new BodyTooLarge();
      throw new ResponseValidationError(`the body is not ${coding}`);
    }
  }, Buffer.from(body));
}

/**
 * Whether an object in a JSON text has two properties with the same name. Parsers take different ones of them, so what
 * was validated may not be what a client reads (RFC 8259, section 4). The time is linear.
 * @param text valid JSON
 * @param value the parsed text
 */
function hasDuplicateNames(text: string, value: unknown): boolean {
  // Most texts come from `JSON.stringify`, which writes each name once.
  return text.includes('{') && JSON.stringify(value) !== text && scan(text);
}

function scan(text: string): boolean {
  /** The names of each open object; undefined for arrays. */
  const open: (Set<string> | undefined)[] = [];
  /** The beginning of a string, or a character that begins, ends or separates values. */
  const tokens = /["{}[\],:]/g;
  let previous = '';
  for (let found = tokens.exec(text); found; found = tokens.exec(text)) {
    const [token] = found;
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === '"') {
      tokens.lastIndex = endOfString(text, found.index);
      const names = previous === '{' || previous === ',' ? open.at(-1) : undefined;
      if (names) {
        const written = text.slice(found.index, tokens.lastIndex);
        const name: string = written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
        if (names.has(name)) return true;
        names.add(name);
      }
    }
    previous = token;
  }
  return false;
}

/** Returns the index after a string. A pattern for all of it would exhaust the stack: the string can have megabytes. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
