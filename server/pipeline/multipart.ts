import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { coerceForm, propertiesOf } from './form.ts';
import type { DocumentedContent } from './operation.ts';

/** A parsed form. Validation sees the content of a file as text with one character per byte. */
export interface MultipartForm {
  body: Record<string, unknown>;
  /** The files by name; lists for names that occur several times. */
  files: ReadonlyMap<string, File | File[]>;
}

/** Maximum number of parts; forms with more parts are rejected. */
const maxParts = 5_000;

/**
 * Parses a body of the type `multipart/form-data` (RFC 7578). A part is a file if it has a file name or the media type
 * `application/octet-stream`, or if its schema is binary.
 * @param contentType the Content-Type header, with the boundary
 * @throws Error if the body is malformed or has too many parts
 */
export async function parseMultipart(
  bytes: Buffer,
  contentType: string,
  content: DocumentedContent,
): Promise<MultipartForm> {
  const { texts, files } = await partsOf(bytes, contentType);
  const properties = propertiesOf(content.schema, content.resolve);
  for (const [name, values] of texts)
    if (isBinary(content.resolve(properties[name]))) {
      for (const value of values)
        append(files, name, { content: Buffer.from(value), fileName: '', mediaType: '' });
      texts.delete(name);
    }
  const isList = (name: string) => [content.resolve(properties[name]).type].flat().includes('array');
  const ofFiles = <Value>(make: (part: FilePart) => Value) =>
    [...files].map(
      ([name, parts]) => [name, isList(name) ? parts.map(make) : single(parts.map(make))] as const,
    );
  const form = Object.fromEntries([...texts].map(([name, values]) => [name, single(values)]));
  const contents = Object.fromEntries(ofFiles((part) => part.content.toString('latin1')));
  return { body: { ...coerceForm(form, content), ...contents }, files: new Map(ofFiles(toFile)) };
}

/** Replaces the text of each file with the file. */
export const withFiles = (body: unknown, files: MultipartForm['files']): unknown =>
  typeof body === 'object' && body !== null ? { ...body, ...Object.fromEntries(files) } : body;

const single = <Value>(values: Value[]): Value | Value[] => {
  const [first, ...more] = values;
  return first === undefined || more.length > 0 ? values : first;
};

/** Whether a schema describes bytes that are not encoded as text. */
export const isBinary = ({
  type,
  format,
  contentMediaType,
  contentEncoding,
}: Record<string, unknown>): boolean =>
  (type === undefined || type === 'string') &&
  contentEncoding === undefined &&
  (format === 'binary' || contentMediaType !== undefined);

interface FilePart {
  content: Buffer;
  fileName: string;
  mediaType: string;
}

const toFile = ({ content, fileName, mediaType }: FilePart): File =>
  new File([new Uint8Array(content)], fileName, { type: mediaType });

interface Parts {
  texts: Map<string, string[]>;
  files: Map<string, FilePart[]>;
}

function append<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

function partsOf(bytes: Buffer, contentType: string): Promise<Parts> {
  const headers: BusboyHeaders = { 'content-type': contentType };
  const parser = new Busboy({
    headers,
    // The body as a whole has a limit, so its parts need none.
    limits: { parts: maxParts, fieldSize: bytes.length + 1, fileSize: bytes.length + 1 },
  });
  const parts: Parts = { texts: new Map(), files: new Map() };
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
