import { documentedType, isJson, parseMediaType } from '../../../server/contract/media-type.ts';
import { documentedStatus, withoutContent } from '../../../server/contract/validate-response.ts';
import { fieldOf } from '../../../server/lib/field-error.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import type { OperationResponse } from '../../contract/model/operation.ts';
import { parsedJson } from '../../lib/parsed-json.ts';
import type { TestedOperation } from '../requests/operations.ts';
import type { HttpResponse } from '../requests/send.ts';
import type { JsonSchema } from '../schema-values/schema.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { generalize } from '../schema-values/value-locations.ts';
import type { CheckResult, ConformanceCheck, Violation } from './check-result.ts';

/** Returns the documented response for a status: that of the status itself, of its class (`4XX`), or the default. */
export function documentedResponse(
  operation: TestedOperation,
  status: number,
): OperationResponse | undefined {
  const key = documentedStatus(operation.responses, status);
  return key === undefined ? undefined : operation.responses[key];
}

/** Statuses that HTTP defines for invalid requests. */
const rejectionStatuses = [400, 405, 411, 413, 414, 415, 422, 431];

/**
 * Checks status, media type, headers and body of a response.
 * @param isInvalid whether the request was invalid; if so, a status that HTTP defines for invalid requests need not be
 * documented
 */
export function checkResponse(
  context: SchemaContext,
  operation: TestedOperation,
  answer: HttpResponse,
  isInvalid = false,
): Pick<CheckResult, 'violations' | 'made'> {
  const violations: Violation[] = [];
  const made: ConformanceCheck[] = [];
  const result = { violations, made };
  const complain = (check: ConformanceCheck, message: string, detail?: string) =>
    violations.push({ check, message, ...(detail === undefined ? {} : { detail }) });
  // An operation that documents no responses at all allows every response.
  if (Object.keys(operation.responses).length === 0) return result;
  const response = documentedResponse(operation, answer.status);
  made.push('status-documented');
  if (!response && isInvalid && rejectionStatuses.includes(answer.status)) return result;
  if (!response) {
    const documented = Object.keys(operation.responses).join(', ');
    complain('status-documented', `${answer.status} is not documented; documented: ${documented || 'none'}`);
    return result;
  }
  made.push('headers', 'media-type');
  for (const { name, required, schema, style } of response.headers) {
    // OpenAPI describes the media type by `content`, and ignores a header with this name.
    if (name.toLowerCase() === 'content-type') continue;
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined && required) complain('headers', `${answer.status} has no header ${name}`);
    if (value !== undefined && !context.acceptsHeader(schema, value, style))
      complain('headers', `the header ${name} of ${answer.status} is invalid`, value.slice(0, 100));
  }
  if (operation.method !== 'head' && !withoutContent.includes(answer.status))
    validateBody(context, response, answer, { made, complain });
  return result;
}

function validateBody(
  context: SchemaContext,
  { content }: OperationResponse,
  { status, headers, text }: HttpResponse,
  {
    made,
    complain,
  }: { made: ConformanceCheck[]; complain: (check: ConformanceCheck, message: string) => void },
): void {
  const sent = headers['content-type'] ?? '';
  const names = content.map(({ mediaType }) => mediaType);
  const type = documentedType(names, parseMediaType(sent) ?? '');
  const documented = content.find(({ mediaType }) => mediaType === type);
  // Few contracts describe the bodies of errors.
  if (names.length === 0 && text !== '' && status < 400)
    complain('media-type', `${status} has an undocumented body`);
  if (names.length > 0 && !documented)
    complain(
      'media-type',
      `${status} has the media type ${sent || '(none)'}, documented: ${names.join(', ')}`,
    );
  if (!documented || !isJson(parseMediaType(sent) ?? '')) return;
  made.push('body');
  const wrong = whatIsWrong(context, documented.schema, text);
  if (wrong !== undefined) complain('body', `the body of ${status} ${wrong}`);
}

function whatIsWrong(context: SchemaContext, schema: JsonSchema, text: string): string | undefined {
  const body = parsedJson(text);
  if (body === undefined) return 'is not JSON';
  const faults = context.violationsOf(schema, body);
  const named = new Set(
    faults.map(({ location, message }) => `${fieldOf('body', generalize(location))} ${message}`),
  );
  return faults.length > 0 ? `is invalid: ${[...named].slice(0, 5).join(', ')}` : undefined;
}

/** Returns the body of a response as a value; undefined if the body is not JSON. */
export const bodyIn = (response: Pick<HttpResponse, 'text'> | undefined): unknown =>
  parsedJson(response?.text ?? '');

/** Returns the invalid locations that an error response in Parley's format names; undefined for other formats. */
export function locationsIn(response: HttpResponse): string[] | undefined {
  const body = bodyIn(response);
  if (!isObject(body) || !('code' in body && 'message' in body) || typeof body.fields !== 'string')
    return undefined;
  return body.fields === '' ? [] : body.fields.split(', ');
}

/** Returns the code of an error response in Parley's format; undefined for other formats. */
export function codeIn(response: HttpResponse): number | undefined {
  const body = bodyIn(response);
  return isObject(body) && typeof body.code === 'number' ? body.code : undefined;
}
