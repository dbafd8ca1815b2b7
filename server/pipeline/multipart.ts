import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { append, type FormParts, maxParts } from './multipart-form.ts';

/**
 * Splits a body of the type `multipart/form-data` into its parts.
 * @param contentType the Content-Type header, with the boundary
 * @throws Error if the body is malformed or has too many parts
 */
export function partsOf(bytes: Buffer, contentType: string): Promise<FormParts> {
  const headers: BusboyHeaders = { 'content-type': contentType };
  const parser = new Busboy({
    headers,
    // The body as a whole has a limit, so its parts need none.
    limits: { parts: maxParts, fieldSize: bytes.length + 1, fileSize: bytes.length + 1 },
  });
  const parts: FormParts = { texts: new Map(), files: new Map() };
  return new Promise((resolve, reject) => {
    const tooMany = () => reject(new Error(`The form has more than ${maxParts} parts.`));
    parser.on('field', (name, value) => append(parts.texts, name, value));
    parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () =>
        append(parts.files, name, { content: Buffer.concat(chunks), fileName: fileName ?? '', mediaType }),
      );
      stream.on('error', reject);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, tooMany);
    parser.on('error', reject);
    parser.on('finish', () => resolve(parts));
    parser.end(bytes);
  });
}
