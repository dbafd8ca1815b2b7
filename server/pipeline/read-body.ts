import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import { PipelineError } from './errors.ts';
import { documentedType, isJson, parseMediaType } from './media-type.ts';
import type { ContractOperation } from './operation.ts';

/** A body as it was read, and the documented media type that it falls under; neither where none was sent. */
export interface ReadBody {
  body: unknown;
  mediaType: string | undefined;
}

/** In the middle of a request, or while it waited to be read. Nobody hears the answer. */
export class ClientDisconnected extends Error {}

export const noBody: ReadBody = { body: undefined, mediaType: undefined };

/** Whether a body has come that the operation takes; what it does not take is left alone. */
export const hasParsableBody = (req: IncomingMessage, { requestTypes }: ContractOperation): boolean =>
  requestTypes.length > 0 && hasBody(req);

/** Reads a body, up to a number of bytes. @throws Refused where it is larger, of another kind, or not well-formed */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  operation: ContractOperation,
  limit: number,
): Promise<ReadBody> {
  const mediaType = acceptedType(req, operation);
  const bytes = await collect(req, res, limit);
  return { body: parse(bytes, mediaType), mediaType };
}

// RFC 9112, 6.3: a request has a body if one of these says so.
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function acceptedType({ headers }: IncomingMessage, { requestTypes }: ContractOperation): string {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw new PipelineError('unsupportedMediaType', {
      message: 'The body must be sent without a content coding.',
      fields: 'header/Content-Encoding',
    });
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw new PipelineError('unsupportedMediaType', {
      message: 'The body must be sent without a transfer coding but chunked.',
      fields: 'header/Transfer-Encoding',
    });
  const sent = parseMediaType(headers['content-type'] ?? '');
  const found = sent && documentedType(requestTypes, sent);
  if (!found || found.startsWith('multipart/'))
    throw new PipelineError('unsupportedMediaType', {
      message: `The body must be sent as ${requestTypes.join(' or ')}, in UTF-8.`,
      fields: 'header/Content-Type',
    });
  return found;
}

async function collect(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new PipelineError('bodyTooLarge', { message: `The body is larger than ${limit} bytes.`, fields: 'body' });
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  // Only now may the client go on: what is refused above is never sent (RFC 9110, 10.1.1).
  if (req.httpVersion === '1.1' && req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const body = await bytesOf(req, limit);
  if (!body) throw tooLarge();
  return body;
}

/** By its events: an iterator over the stream takes promises for each part. @returns undefined where it is too large */
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
    const broken = () => end(() => reject(new ClientDisconnected('The client has left.')));
    const end = (settle: () => void) => {
      req.off('data', take).off('end', whole).off('error', broken).off('close', broken);
      // The answer to a body that is too large still has to go out on this connection.
      req.pause();
      settle();
    };
    // While others were asked who he is, he may have gone; then nothing of this is ever heard of.
    if (req.destroyed) broken();
    else req.on('data', take).on('end', whole).on('error', broken).on('close', broken);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer, mediaType: string): unknown {
  try {
    if (isJson(mediaType)) return JSON.parse(utf8.decode(bytes));
    if (mediaType === 'application/x-www-form-urlencoded') return { ...parseForm(utf8.decode(bytes)) };
    return mediaType.startsWith('text/') ? utf8.decode(bytes) : bytes;
  } catch {
    const what = isJson(mediaType) ? 'JSON' : 'text';
    throw new PipelineError('malformedRequest', {
      message: `The body is not well-formed ${what} in UTF-8.`,
      fields: 'body',
    });
  }
}
