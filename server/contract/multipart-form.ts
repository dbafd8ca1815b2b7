import { describeFieldErrors } from '../lib/field-error.ts';
import { ownOf } from '../lib/own-property.ts';
import { wordingOf } from '../lib/wording.ts';
import { type FormPlan, writeForm } from '../validation/parameters/read-form.ts';
import { addEntry } from '../validation/parameters/source.ts';
import { PipelineError } from './errors.ts';
import { documentedType, isJson } from './media-type.ts';
import type { ReadBody } from './operation.ts';

interface FilePart {
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

/**
 * Reads the parts of a body of the type `multipart/form-data` (RFC 7578). A part is a file if it has a file name or the
 * media type `application/octet-stream`, or if its schema is binary.
 * @throws PipelineError if a file has a media type that its encoding does not allow
 */
export function toForm(
  { texts, files }: FormParts,
  plans: FormPlan['parts'],
): Pick<ReadBody, 'body' | 'contents' | 'files'> {
  for (const [name, values] of texts)
    if (ownOf(plans, name)?.isFile) {
      for (const value of values)
        addEntry(files, name, { content: new TextEncoder().encode(value), fileName: '', mediaType: '' });
      texts.delete(name);
    }
  for (const [name, parts] of files) {
    const { isFile, mediaTypes } = ownOf(plans, name) ?? {};
    const isForeign = (type: string) =>
      type !== '' && documentedType(mediaTypes ?? [type], type) === undefined;
    if (isFile && parts.some(({ mediaType }) => isForeign(mediaType))) {
      const problem = { field: `/${name}`, message: wordingOf('mediaType', { mediaTypes }) };
      throw new PipelineError('validationFailed', describeFieldErrors([problem]));
    }
    if (isFile !== false || !parts.every(({ mediaType }) => isJson(mediaType))) continue;
    // Browsers send JSON with a media type as a file, `new Blob([json], { type: 'application/json' })`.
    for (const { content: bytes } of parts) addEntry(texts, name, new TextDecoder().decode(bytes));
    files.delete(name);
  }
  const ofFiles = <Value>(make: (part: FilePart) => Value) =>
    [...files].map(([name, parts]) => {
      const made = parts.map(make);
      const [only] = made;
      const isSingle = only !== undefined && made.length === 1 && !ownOf(plans, name)?.isList;
      return [name, isSingle ? only : made] as const;
    });
  const contents = Object.fromEntries(ofFiles(({ content: bytes }) => latin1(bytes)));
  return { body: writeForm(texts), contents, files: new Map(ofFiles(toFile)) };
}

/** Replaces the text of each file with the file. */
export const withFiles = (body: unknown, files: NonNullable<ReadBody['files']>): unknown =>
  typeof body === 'object' && body !== null ? { ...body, ...Object.fromEntries(files) } : body;

/** Whether a schema describes bytes that are not encoded as text. */
export const isBinary = ({
  type,
  format,
  contentMediaType,
  contentEncoding,
}: Record<string, unknown>): boolean =>
  [type ?? 'string'].flat().includes('string') &&
  contentEncoding === undefined &&
  (format === 'binary' || contentMediaType !== undefined);

const toFile = ({ content, fileName, mediaType }: FilePart): File =>
  new File([new Uint8Array(content)], fileName, { type: mediaType });

/** Returns text with one character per byte. `String.fromCharCode` takes a limited number of arguments. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return text;
}
