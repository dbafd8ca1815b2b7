import type { IncomingMessage, ServerResponse } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { RequestSource } from '../../contract/accept-request.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { type FormParts, toForm } from '../../contract/multipart-form.ts';
import type { CompiledOperation, ReadBody } from '../../contract/operation.ts';
import {
  type AcceptedType,
  acceptedType,
  bodyTooLarge,
  noBody,
  parseBody,
  parsedBody,
} from '../../contract/parse-body.ts';
import { InputLimitError } from '../../lib/input-limit.ts';
import { isObject, objectOf } from '../../lib/json-object.ts';
import { addEntry, maxPairs } from '../../validation/parameters/source.ts';

/** The client disconnected before its request body was read completely. */
export class ClientDisconnected extends Error {}

/** Reads and parses a body. @throws PipelineError if it is too large, has an unsupported media type, or is malformed */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  operation: CompiledOperation,
  limit: number,
): Promise<ReadBody> {
  // Other middleware, such as express.json(), may have read, decoded and parsed the body.
  const isRead = req.readableEnded && 'body' in req && req.body !== undefined;
  // Chunks can be a body of no bytes, which is no body and needs no media type.
  const mayBeNone = !isRead && req.headers['transfer-encoding'] !== undefined && !req.headers['content-type'];
  if (mayBeNone && (await collect(req, res, limit)).length === 0) return noBody;
  const type = acceptedType(req, operation, isRead);
  if (isRead) return readBefore(req, req.body, type, operation);
  if (req.readableEnded) {
    throw new Error('Other middleware has read the request body without setting req.body.');
  }
  return parseBody(await collect(req, res, limit), type, req, operation, partsOf);
}

/** Returns a body that other middleware has read, with the files that a parser such as multer puts next to it. */
function readBefore(
  req: IncomingMessage,
  body: unknown,
  type: AcceptedType,
  operation: CompiledOperation,
): ReadBody {
  const files = filesOf(req);
  const texts = Object.entries(objectOf(body)).filter(([name]) => !files.has(name));
  const read = parsedBody(files.size > 0 ? Object.fromEntries(texts) : body, type, operation);
  const { form } = operation.body?.content[type.mediaType] ?? {};
  if (read.format !== 'multipart' || !form) return read;
  const { body: more, ...parts } = toForm({ texts: new Map(), files }, form.parts);
  return { ...read, ...parts, body: `${read.body}&${more}` };
}

/** Returns the files by name, as multer or express-fileupload describe them. Those on a disk seem to be empty. */
function filesOf(req: IncomingMessage): FormParts['files'] {
  const { file, files: others } = objectOf(req);
  const files: FormParts['files'] = new Map();
  for (const [key, given] of [['', file], ...Object.entries(Object(others))])
    for (const each of [given].flat().filter(isObject)) {
      const { fieldname = key, buffer, data = buffer, name = each.originalname, mimetype } = each;
      const content = data instanceof Uint8Array ? data : new Uint8Array();
      addEntry(files, String(fieldname), { content, fileName: String(name), mediaType: String(mimetype) });
    }
  return files;
}

/** Accepts a body by its media type, without reading it. @throws PipelineError if the media type is not documented */
const unreadBody = async (req: IncomingMessage, operation: CompiledOperation): Promise<ReadBody> => ({
  body: undefined,
  mediaType: acceptedType(req, operation, true).mediaType,
  format: 'bytes',
});

/** Chunks that are kept before they are merged. Clients can send chunks of one byte, and each takes 450 bytes of memory. */
const maxRecentChunks = 256;

async function collect(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
  // A client that expects 100 Continue waits for it before it sends the body (RFC 9110, section 10.1.1). So it is sent
  // only after the checks above, which may reject the body.
  if (req.httpVersion === '1.1' && req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const body = await bytesOf(req, limit);
  if (!body) throw bodyTooLarge(limit);
  return body;
}

/**
 * Reads a body with event listeners, because an async iterator would create a promise per chunk.
 * @returns undefined if the body is too large
 */
function bytesOf(req: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let recent: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      recent.push(chunk);
      if (recent.length === maxRecentChunks) {
        chunks.push(Buffer.concat(recent));
        recent = [];
      }
      if (size > limit) end(() => resolve(undefined));
    };
    const whole = () =>
      end(() => {
        const [only = Buffer.alloc(0), ...more] = [...chunks, ...recent];
        resolve(more.length === 0 ? only : Buffer.concat([only, ...more], size));
      });
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

const peerOf = (req: IncomingMessage): string => req.socket.remoteAddress ?? '';

/** Reads requests of Node's HTTP server. */
export const httpSource: RequestSource<Exchange<unknown>> = {
  readBody: ({ req, res }, operation, limit) => readBody(req, res, operation, limit),
  addressOf({ req }, configured = peerOf) {
    // Reads the address now: Node caches it on first access, and cannot return it after the peer has disconnected.
    peerOf(req);
    return () => configured(req);
  },
};

/**
 * Returns the source for middleware in front of routes.
 * @param unread IDs of operations whose bodies are left for the route, if nothing has read them yet
 */
export function httpSourceFor(unread: ReadonlySet<string>): RequestSource<Exchange<unknown>> {
  const warned = new Set<string>();
  return {
    ...httpSource,
    async readBody({ req, res }, operation, limit) {
      if (req.readableEnded) return readBody(req, res, operation, limit);
      if (unread.has(operation.id)) return unreadBody(req, operation);
      const body = await readBody(req, res, operation, limit);
      if (body.format === 'multipart') warnOfParser(req, operation.id, warned);
      return body;
    },
  };
}

/** Warns once for each operation if a parser behind the middleware reads a form again, with `pipe` as multer does. */
function warnOfParser(req: IncomingMessage, id: string, warned: Set<string>): void {
  const { pipe } = req;
  const observed = (...given: unknown[]): unknown => {
    if (!warned.has(id))
      process.emitWarning(
        `A parser behind the middleware, such as multer, reads the form of ${id} again, and finds nothing. Name the operation in the option unreadBodies, or mount the parser in front of the middleware.`,
        { code: 'PARLEY_CONTRACT_UNREAD_BODIES' },
      );
    warned.add(id);
    return Reflect.apply(pipe, req, given);
  };
  Object.assign(req, { pipe: observed });
}

const chunkBytes = 16_384;

/**
 * Splits a body of the type `multipart/form-data` into its parts.
 * @param contentType the Content-Type header, with the boundary
 * @throws Error if the body is malformed; InputLimitError if it has too many parts
 */
export function partsOf(bytes: Buffer, contentType: string): Promise<FormParts> {
  const headers: BusboyHeaders = { 'content-type': contentType };
  const parser = new Busboy({
    headers,
    // The body as a whole has a limit, so its parts need none.
    limits: { parts: maxPairs, fieldSize: bytes.length + 1, fileSize: bytes.length + 1 },
  });
  const parts: FormParts = { texts: new Map(), files: new Map() };
  return new Promise((resolve, reject) => {
    let isDone = false;
    const fail = (error: unknown) => {
      isDone = true;
      reject(error);
    };
    const tooMany = () => fail(new InputLimitError(`The form has more than ${maxPairs} parts.`));
    parser.on('field', (name, value) => addEntry(parts.texts, name, value));
    parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () =>
        addEntry(parts.files, name, { content: Buffer.concat(chunks), fileName: fileName ?? '', mediaType }),
      );
      stream.on('error', fail);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, tooMany);
    parser.on('error', fail);
    parser.on('finish', () => resolve(parts));
    // In chunks, so that the rest of a form with too many parts is not parsed.
    for (let at = 0; at < bytes.length && !isDone; at += chunkBytes)
      parser.write(bytes.subarray(at, at + chunkBytes));
    parser.end();
  });
}
