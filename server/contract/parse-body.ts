import type { IncomingMessage } from 'node:http';
import { InputLimitError } from '../lib/input-limit.ts';
import { isObject, listOf } from '../lib/json-object.ts';
import { parseJson } from '../lib/parse-json.ts';
import { writeParsedForm } from '../validation/parameters/read-form.ts';
import { schemaOf } from './compiled-contract.ts';
import { PipelineError } from './errors.ts';
import type { RequestHead } from './exchange.ts';
import { bodyFormatOf, documentedType, isOpaque, parseMediaType } from './media-type.ts';
import { type ParseParts, toForm } from './multipart-form.ts';
import type { CompiledOperation, ReadBody } from './operation.ts';

export const noBody: ReadBody = { body: undefined, mediaType: undefined };

/** Whether the request has a body and the operation documents one. Otherwise no body is read. */
export const hasParsableBody = (req: RequestHead, { requestTypes }: CompiledOperation): boolean =>
  requestTypes.length > 0 && hasBody(req);

/** Whether a request has a body: Transfer-Encoding, or a Content-Length above 0 (RFC 9112, section 6.3). */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The media type of a request, and the documented one that it matches, which may be a range. */
export interface AcceptedType {
  sent: string;
  mediaType: string;
}

/**
 * @param isDecoded whether other middleware has decoded the body already
 * @throws PipelineError if the operation documents no such media type, or the body is encoded
 */
export function acceptedType(
  { headers }: RequestHead,
  { requestTypes, body, resolve }: CompiledOperation,
  isDecoded = false,
): AcceptedType {
  const coding = headers['content-encoding'];
  if (!isDecoded && coding !== undefined && coding.toLowerCase() !== 'identity')
    throw new PipelineError('unsupportedMediaType', {
      message: 'The body must have no content coding.',
      fields: 'header/Content-Encoding',
    });
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw new PipelineError('unsupportedMediaType', {
      message: 'The only supported transfer coding is chunked.',
      fields: 'header/Transfer-Encoding',
    });
  const header = headers['content-type'] ?? '';
  const sent = parseMediaType(header);
  const found = sent && documentedType(requestTypes, header);
  // Bytes are not validated, so a range of types does not let them replace, for example, an object.
  if (!found || (!isOpaque(found) && isOpaque(sent) && !allowsText(schemaOf(body?.content[found]), resolve)))
    throw new PipelineError('unsupportedMediaType', {
      message: `The body must be sent as ${requestTypes.join(' or ')}, in UTF-8.`,
      fields: 'header/Content-Type',
    });
  return { sent, mediaType: found };
}

/** Whether a schema allows texts, as far as its types and values say. */
function allowsText(given: unknown, resolve: CompiledOperation['resolve'], depth = 0): boolean {
  if (depth > 5) return false;
  const { type, enum: values, allOf, anyOf, oneOf, ...rest } = resolve(given);
  const allowed = 'const' in rest ? [rest.const] : values;
  const allows = (schema: unknown) => allowsText(schema, resolve, depth + 1);
  return (
    (type === undefined || [type].flat().includes('string')) &&
    (!Array.isArray(allowed) || allowed.some((value) => typeof value === 'string')) &&
    listOf(allOf).every(allows) &&
    [anyOf, oneOf].every((branches) => !Array.isArray(branches) || branches.some(allows))
  );
}

/** Returns the error for a body that is larger than `limit` bytes. */
export const bodyTooLarge = (limit: number): PipelineError =>
  new PipelineError('bodyTooLarge', { message: `The body is larger than ${limit} bytes.`, fields: 'body' });

/**
 * Parses a body. Forms are only split into their parts: their schema says how they are read.
 * @param bytes the whole body
 * @param parseParts splits a body of the type `multipart/form-data`
 * @throws PipelineError if the body is malformed
 */
export async function parseBody<Bytes extends Uint8Array>(
  bytes: Bytes,
  { sent, mediaType }: AcceptedType,
  { headers }: RequestHead,
  { body }: CompiledOperation,
  parseParts: ParseParts<Bytes>,
): Promise<ReadBody> {
  // A body of no bytes is no body, also if it is chunked.
  if (bytes.length === 0) return noBody;
  const format = bodyFormatOf(sent);
  try {
    if (format === 'multipart') {
      const parts = await parseParts(bytes, headers['content-type'] ?? '');
      return { mediaType, format, ...toForm(parts, body?.content[mediaType]?.form?.parts ?? {}) };
    }
    if (format === 'bytes') return { mediaType, format, body: bytes };
    const text = utf8.decode(bytes);
    return { mediaType, format, body: format === 'json' ? parseJson(text) : text };
  } catch (error) {
    if (error instanceof PipelineError) throw error;
    if (error instanceof InputLimitError)
      throw new PipelineError('validationFailed', { message: error.message, fields: 'body' });
    const what = { json: 'JSON', form: 'text', multipart: 'multipart/form-data', text: 'text', bytes: '' }[
      format
    ];
    throw new PipelineError('malformedRequest', {
      message: `The body is not valid ${what} in UTF-8.`,
      fields: 'body',
    });
  }
}

/** Returns a body that other middleware has parsed. Forms are read again, because their values are still texts. */
export function parsedBody(
  body: unknown,
  { sent, mediaType }: AcceptedType,
  { body: documented }: CompiledOperation,
): ReadBody {
  const format = bodyFormatOf(sent);
  const form = documented?.content[mediaType]?.form;
  const isForm = form !== undefined && isObject(body) && (format === 'form' || format === 'multipart');
  return { mediaType, format, body: isForm ? writeParsedForm(form, body) : body };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
