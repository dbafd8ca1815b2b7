import { describeFieldErrors, fieldOf } from '../lib/field-error.ts';
import { InputLimitError } from '../lib/input-limit.ts';
import { isObject } from '../lib/json-object.ts';
import { ownOf } from '../lib/own-property.ts';
import type { SchemaViolation } from '../lib/violation.ts';
import { wordingOf } from '../lib/wording.ts';
import { withWorkLimit } from '../lib/work-limit.ts';
import { readHeaderValue, writeHeaderValue } from '../validation/parameters/header-value.ts';
import { writeForm } from '../validation/parameters/read-form.ts';
import type { HeaderPlan } from './compiled-contract.ts';
import type { HandlerResponse, ValidatedResponse } from './exchange.ts';
import { bodyFormatOf, documentedType, isJson, isOpaque } from './media-type.ts';
import type { CompiledOperation } from './operation.ts';

/** A response does not conform to the contract. The message names locations and rules, never values. */
export class ResponseValidationError extends Error {
  /** The status of a response of a handler. */
  responseStatus?: number;
}

/** Headers that every response may have without being documented: `General` is their type. */
const generalHeader = /^(cache-control|vary|last-modified|etag|link)$/;

/** Statuses whose responses have no content in HTTP (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const withoutContent: readonly number[] = [204, 205, 304];

/** Returns a strong entity tag for the JSON of a representation (RFC 9110, section 8.8.3). */
export type MakeEntityTag = (json: string) => string;

/**
 * Validates a response against its operation and serializes it.
 * @param supplied headers that the pipeline adds and that may be required
 * @param entityTag computes the ETag if one is documented and the response has none
 * @throws ResponseValidationError
 */
export function validateResponse(
  operation: CompiledOperation,
  response: HandlerResponse,
  supplied: Record<string, string>,
  entityTag?: MakeEntityTag,
): ValidatedResponse {
  const status = documentedStatus(operation.responses, response.status);
  if (status === undefined) {
    // An operation that documents no responses at all allows every response.
    if (Object.keys(operation.responses).length === 0) return serializeResponse(response, supplied);
    throw new ResponseValidationError(`${operation.id} documents no status ${response.status}`);
  }
  const documented = validateBody(operation, status, response);
  const isSent = documented !== undefined && !withoutContent.includes(response.status);
  const type = isSent ? (response.mediaType ?? documented) : undefined;
  const payload = type === undefined ? undefined : serialize(response.body, type);
  const tag = entityTag && typeof payload === 'string' ? () => entityTag(payload) : undefined;
  const validated = validateHeaders(operation, status, response, supplied, tag);
  if (type !== undefined) validated.headers['Content-Type'] = type;
  return { status: response.status, ...validated, payload };
}

/**
 * Validates the status and the body of a response that has been serialized already.
 * @param hasBody false if HTTP gives the response no body, even if the contract documents one
 * @throws ResponseValidationError
 */
export function validateStatusAndBody(
  operation: CompiledOperation,
  response: HandlerResponse,
  hasBody: boolean,
): void {
  const status = documentedStatus(operation.responses, response.status);
  if (status !== undefined) {
    if (hasBody) validateBody(operation, status, response);
  } else if (Object.keys(operation.responses).length > 0)
    throw new ResponseValidationError(`${operation.id} documents no status ${response.status}`);
}

/** Returns the documented media type of a valid body; undefined if there is no body. @throws ResponseValidationError */
function validateBody(
  operation: CompiledOperation,
  status: string,
  response: HandlerResponse,
): string | undefined {
  try {
    return typeOfValidBody(operation, status, response);
  } catch (error) {
    if (status !== 'default' || !(error instanceof ResponseValidationError)) throw error;
    const why = `status ${response.status} is documented by default alone`;
    throw new ResponseValidationError(`${error.message} (${why})`);
  }
}

function typeOfValidBody(
  operation: CompiledOperation,
  status: string,
  response: HandlerResponse,
): string | undefined {
  const mediaType = mediaTypeOf(operation, status, response);
  if (mediaType === undefined) return undefined;
  // A range may document bytes besides what is validated. Forms with parts are not read again.
  const isRaw = typeof response.body === 'string' || response.body instanceof Uint8Array;
  if (isRaw && (/^multipart/i.test(mediaType) || isOpaque(response.mediaType ?? mediaType))) return mediaType;
  if (violationsOf(operation, status, mediaType, response.body).length === 0) return mediaType;
  // `JSON.stringify` writes a date as a text.
  const findings = violationsOf(operation, status, mediaType, JSON.parse(JSON.stringify(response.body)));
  if (findings.length === 0) return mediaType;
  const { violations } = describeFieldErrors(
    findings.map(({ pointer, message }) => ({ field: fieldOf('body', pointer), message })),
  );
  throw new ResponseValidationError(violations.map(({ field, message }) => `${field} ${message}`).join('; '));
}

/** @throws ResponseValidationError if the validation takes too much work */
function violationsOf(
  operation: CompiledOperation,
  ...[status, mediaType, body]: Parameters<CompiledOperation['validateBody']>
): SchemaViolation[] {
  try {
    return withWorkLimit(body, () => operation.validateBody(status, mediaType, body));
  } catch (error) {
    throw error instanceof InputLimitError ? new ResponseValidationError(error.message) : error;
  }
}

/** Serializes a response without validating it. */
export function serializeResponse(
  { status, headers = {}, body, mediaType }: HandlerResponse,
  supplied: Record<string, string>,
): ValidatedResponse {
  const type = body === undefined ? undefined : (mediaType ?? 'application/json');
  return {
    status,
    headers: { ...supplied, ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) },
    payload: type === undefined ? undefined : serialize(body, type),
  };
}

/** Returns the key that documents a status: the status, its range, or `default`. @param documented by key */
export function documentedStatus(
  documented: Readonly<Record<string, unknown>>,
  status: number,
): string | undefined {
  const exact = String(status);
  if (Object.hasOwn(documented, exact)) return exact;
  return [`${Math.floor(status / 100)}XX`, 'default'].find((key) => Object.hasOwn(documented, key));
}

function validateHeaders(
  operation: CompiledOperation,
  status: string,
  { headers = {} }: HandlerResponse,
  supplied: Record<string, string>,
  tag?: () => string,
): Pick<ValidatedResponse, 'headers' | 'cookies'> {
  const documented = operation.responses[status]?.headers ?? [];
  const sent: Record<string, string> = { ...supplied };
  let cookies: string[] | undefined;
  const validated: Record<string, unknown> = {};
  for (const name of Object.keys(supplied)) validated[name.toLowerCase()] = supplied[name];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const header = documented.find((each) => each.name === key);
    if (!header && !generalHeader.test(key))
      throw new ResponseValidationError(`${fieldOf('header', `/${name}`)} is not documented`);
    validated[key] = value;
    if (key === 'set-cookie' && Array.isArray(value))
      cookies = value.map((each) => sendable(name, String(each)));
    else sent[name] = sendable(name, writeHeaderValue(value, header?.style));
  }
  for (const { name, required } of documented) {
    if (Object.hasOwn(validated, name)) continue;
    if (name === 'etag' && tag) {
      sent.ETag = tag();
      validated.etag = sent.ETag;
    } else if (required)
      throw new ResponseValidationError(`${fieldOf('header', `/${name}`)} ${wordingOf('required')}`);
  }
  for (const header of documented) validateHeader(operation, header, ownOf(validated, header.name));
  return { headers: sent, ...(cookies ? { cookies } : {}) };
}

/** @param given a value or its text; undefined if the header is missing @throws ResponseValidationError */
export function validateHeader(operation: CompiledOperation, header: HeaderPlan, given: unknown): void {
  const { name, schema } = header;
  if (schema === undefined || given === undefined) return;
  const isRepeated = name === 'set-cookie' && Array.isArray(given) && !operation.accepts(schema, given);
  for (const each of isRepeated ? given : [given]) {
    const value = typeof each === 'string' ? readHeaderValue(header, each, operation.accepts) : each;
    const [finding] = operation.violationsOf(schema, value);
    if (finding)
      throw new ResponseValidationError(
        `${fieldOf('header', `/${name}${finding.pointer}`)} ${finding.message}`,
      );
  }
}

/** Checks the value now, because Node would reject it only when the response is sent. */
function sendable(name: string, value: string): string {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new ResponseValidationError(`${fieldOf('header', `/${name}`)} contains invalid characters`);
  return value;
}

function mediaTypeOf(
  operation: CompiledOperation,
  status: string,
  { status: code, body, mediaType }: HandlerResponse,
): string | undefined {
  if (body === undefined && withoutContent.includes(code)) return undefined;
  const documented = Object.keys(operation.responses[status]?.content ?? {});
  if (documented.length === 0) {
    if (body !== undefined) throw new ResponseValidationError('no body is documented');
    return undefined;
  }
  if (body === undefined)
    throw new ResponseValidationError(`${fieldOf('body', '')} ${wordingOf('required')}`);
  const found = mediaType === undefined ? soleType(documented) : documentedType(documented, mediaType);
  if (found === undefined)
    throw new ResponseValidationError(`the media type ${mediaType ?? '(none named)'} is not documented`);
  return found;
}

/** Returns the media type of a response that names none. */
export const soleType = (documented: readonly string[]): string | undefined =>
  documented.length === 1 ? documented[0] : documented.find((type) => isJson(type));

function serialize(body: unknown, mediaType: string): string | Uint8Array {
  if (!isJson(mediaType) && (typeof body === 'string' || body instanceof Uint8Array)) return body;
  if (bodyFormatOf(mediaType) !== 'form' || !isObject(body)) return JSON.stringify(body);
  const textOf = (value: unknown) => (isObject(value) ? JSON.stringify(value) : String(value ?? ''));
  return writeForm(Object.entries(body).map(([name, value]) => [name, [value].flat().map(textOf)]));
}
