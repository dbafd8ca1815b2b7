import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import { PipelineError } from './errors.ts';
import { coerceForm } from './form.ts';
import { type BodyFormat, bodyFormatOf, documentedType, parseMediaType } from './media-type.ts';
import { type MultipartForm, parseMultipart } from './multipart.ts';
import type { ContractOperation, DocumentedContent } from './operation.ts';

/** A parsed body and the documented media type that it matches; both undefined if no body was sent. */
export interface ReadBody {
  body: unknown;
  mediaType: string | undefined;
  /** Whether the body is opaque bytes, which have no schema to validate. */
  isOpaque?: boolean;
  /** The files of a form. */
  files?: MultipartForm['files'];
}

/** The client disconnected before its request body was read completely. */
export class ClientDisconnected extends Error {}

export const noBody: ReadBody = { body: undefined, mediaType: undefined };

/** Whether the request has a body and the operation documents one. Otherwise no body is read. */
export const hasParsableBody = (req: IncomingMessage, { requestTypes }: ContractOperation): boolean =>
  requestTypes.length > 0 && hasBody(req);

/** Reads and parses a body. @throws PipelineError if it is too large, has an unsupported media type, or is malformed */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  operation: ContractOperation,
  limit: number,
): Promise<ReadBody> {
  const { sent, mediaType } = acceptedType(req, operation);
  // Other middleware, such as express.json(), may have read and parsed the body.
  if (req.readableEnded) {
    if ('body' in req && req.body !== undefined) return { body: req.body, mediaType };
    throw new Error('Other middleware has read the request body without setting req.body.');
  }
  const bytes = await collect(req, res, limit);
  const content = operation.requestContent.get(mediaType);
  const format = bodyFormatOf(sent);
  try {
    if (format === 'multipart' && content)
      return { mediaType, ...(await parseMultipart(bytes, req.headers['content-type'] ?? '', content)) };
    return { mediaType, body: parse(bytes, format, content), isOpaque: format === 'bytes' };
  } catch {
    const what = { json: 'JSON', form: 'text', multipart: 'multipart/form-data', text: 'text', bytes: '' }[
      format
    ];
    throw new PipelineError('malformedRequest', {
      message: `The body is not valid ${what} in UTF-8.`,
      fields: 'body',
    });
  }
}

/** Whether a request has a body: Transfer-Encoding, or a Content-Length above 0 (RFC 9112, section 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Returns the media type of the request, and the documented one that it matches, which may be a range. */
function acceptedType(
  { headers }: IncomingMessage,
  { requestTypes }: ContractOperation,
): { sent: string; mediaType: string } {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw new PipelineError('unsupportedMediaType', {
      message: 'The body must have no content coding.',
      fields: 'header/Content-Encoding',
    });
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw new PipelineError('unsupportedMediaType', {
      message: 'The only supported transfer coding is chunked.',
      fields: 'header/Transfer-Encoding',
    });
  const sent = parseMediaType(headers['content-type'] ?? '');
  const found = sent && documentedType(requestTypes, sent);
  if (!found)
    throw new PipelineError('unsupportedMediaType', {
      message: `The body must be sent as ${requestTypes.join(' or ')}, in UTF-8.`,
      fields: 'header/Content-Type',
    });
  return { sent, mediaType: found };
}

async function collect(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new PipelineError('bodyTooLarge', { message: `The body is larger than ${limit} bytes.`, fields: 'body' });
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  // A client that expects 100 Continue waits for it before it sends the body (RFC 9110, section 10.1.1). So it is sent
  // only after the checks above, which may reject the body.
  if (req.httpVersion === '1.1' && req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const body = await bytesOf(req, limit);
  if (!body) throw tooLarge();
  return body;
}

/**
 * Reads a body with event listeners, because an async iterator would create a promise per chunk.
 * @returns undefined if the body is too large
 */
function bytesOf(req: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) end(() => resolve(undefined));
    };
    const whole = () => end(() => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size)));
    const broken = () => end(() => reject(new ClientDisconnected('The client disconnected.')));
    const end = (settle: () => void) => {
      req.off('data', take).off('end', whole).off('error', broken).off('close', broken);
      // Pauses instead of closing, because the error response to a body that is too large needs the connection.
      req.pause();
      settle();
    };
    // The client may have disconnected during authentication; no event follows then.
    if (req.destroyed) broken();
    else req.on('data', take).on('end', whole).on('error', broken).on('close', broken);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer, format: BodyFormat, content: DocumentedContent | undefined): unknown {
  if (format === 'json') return JSON.parse(utf8.decode(bytes));
  if (format === 'form' && content) return coerceForm({ ...parseForm(utf8.decode(bytes)) }, content);
  return format === 'text' ? utf8.decode(bytes) : bytes;
}
