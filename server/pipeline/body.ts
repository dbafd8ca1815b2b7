import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import { refuse } from '../errors.ts';
import type { Operation } from './contract.ts';
import { documentedType, isJson, mediaTypeIn } from './media-type.ts';

/** A body as it was read, and the documented media type that it falls under; neither where none was sent. */
export interface ReadBody {
  body: unknown;
  mediaType: string | undefined;
}

/** Reads what the operation takes and leaves alone what it does not. */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  operation: Operation,
  limit: number,
): Promise<ReadBody> {
  if (operation.requestTypes.length === 0 || !hasBody(req)) return { body: undefined, mediaType: undefined };
  const mediaType = acceptedType(req, operation);
  const bytes = await collect(req, res, limit);
  return { body: parse(bytes, mediaType), mediaType };
}

// RFC 9112, 6.3: a request has a body if one of these says so.
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function acceptedType({ headers }: IncomingMessage, { requestTypes }: Operation): string {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    refuse('unsupportedMediaType', {
      message: 'The body must be sent without a content coding.',
      fields: 'header/Content-Encoding',
    });
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    refuse('unsupportedMediaType', {
      message: 'The body must be sent without a transfer coding but chunked.',
      fields: 'header/Transfer-Encoding',
    });
  const sent = mediaTypeIn(headers['content-type'] ?? '');
  const found = sent && documentedType(requestTypes, sent);
  if (!found || found.startsWith('multipart/'))
    refuse('unsupportedMediaType', {
      message: `The body must be sent as ${requestTypes.join(' or ')}, in UTF-8.`,
      fields: 'header/Content-Type',
    });
  return found;
}

async function collect(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    refuse('bodyTooLarge', { message: `The body is larger than ${limit} bytes.`, fields: 'body' });
  if (Number(req.headers['content-length'] ?? 0) > limit) tooLarge();
  // Only now may the client go on: what is refused above is never sent (RFC 9110, 10.1.1).
  if (req.httpVersion === '1.1' && req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  // The answer to a body that is too large still has to go out on this connection.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer, mediaType: string): unknown {
  try {
    if (isJson(mediaType)) return JSON.parse(utf8.decode(bytes));
    if (mediaType === 'application/x-www-form-urlencoded') return { ...parseForm(utf8.decode(bytes)) };
    return mediaType.startsWith('text/') ? utf8.decode(bytes) : bytes;
  } catch {
    const what = isJson(mediaType) ? 'JSON' : 'text';
    return refuse('malformed', { message: `The body is not well-formed ${what} in UTF-8.`, fields: 'body' });
  }
}
