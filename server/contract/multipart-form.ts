import { ownOf } from '../lib/own-property.ts';
import { coerceForm, propertiesOf } from './form.ts';
import { isJson } from './media-type.ts';
import type { DocumentedContent } from './operation.ts';

/** A parsed form. Validation sees the content of a file as text with one character per byte. */
export interface MultipartForm {
  body: Record<string, unknown>;
  /** The files by name; lists for names that occur several times. */
  files: ReadonlyMap<string, File | File[]>;
}

export interface FilePart {
  content: Uint8Array;
  fileName: string;
  mediaType: string;
}

/** The parts of a form, by name. */
export interface FormParts {
  texts: Map<string, string[]>;
  files: Map<string, FilePart[]>;
}

/** Splits a form. @param contentType the Content-Type header, with the boundary. @throws Error if it is malformed */
export type ParseParts<Bytes extends Uint8Array> = (bytes: Bytes, contentType: string) => Promise<FormParts>;

/** Maximum number of parts; forms with more parts are rejected. */
export const maxParts = 5_000;

/**
 * Converts the parts of a body of the type `multipart/form-data` (RFC 7578) to the types of its schema. A part is a file
 * if it has a file name or the media type `application/octet-stream`, or if its schema is binary.
 */
export function toForm({ texts, files }: FormParts, content: DocumentedContent): MultipartForm {
  const properties = propertiesOf(content.schema, content.resolve);
  for (const [name, values] of texts)
    if (isBinary(content.resolve(ownOf(properties, name)))) {
      for (const value of values)
        append(files, name, { content: new TextEncoder().encode(value), fileName: '', mediaType: '' });
      texts.delete(name);
    }
  for (const [name, parts] of files) {
    const schema = content.resolve(ownOf(properties, name));
    const isText = schema.type !== undefined && !isBinary(content.resolve(schema.items ?? schema));
    if (!isText || !parts.every(({ mediaType }) => isJson(mediaType))) continue;
    // Browsers send JSON with a media type as a file, `new Blob([json], { type: 'application/json' })`.
    for (const { content: bytes } of parts) append(texts, name, new TextDecoder().decode(bytes));
    files.delete(name);
  }
  const isList = (name: string) => [content.resolve(ownOf(properties, name)).type].flat().includes('array');
  const ofFiles = <Value>(make: (part: FilePart) => Value) =>
    [...files].map(
      ([name, parts]) => [name, isList(name) ? parts.map(make) : single(parts.map(make))] as const,
    );
  const form = Object.fromEntries([...texts].map(([name, values]) => [name, single(values)]));
  const contents = Object.fromEntries(ofFiles(({ content: bytes }) => latin1(bytes)));
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

/** Adds a value to a list in a map of lists. */
export function append<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

const toFile = ({ content, fileName, mediaType }: FilePart): File =>
  new File([new Uint8Array(content)], fileName, { type: mediaType });

/** Returns text with one character per byte. `String.fromCharCode` takes a limited number of arguments. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return text;
}
