import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FormParts } from '../../contract/multipart-form.ts';
import { InputLimitError } from '../../lib/input-limit.ts';
import { addEntry, maxPairs } from '../../validation/parameters/source.ts';

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
