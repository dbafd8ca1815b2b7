import type { RequestSource } from '../../contract/accept-request.ts';
import type { RequestHead, RequestState, ValidatedResponse } from '../../contract/exchange.ts';
import type { FormParts } from '../../contract/multipart-form.ts';
import { acceptedType, bodyTooLarge, parseBody } from '../../contract/parse-body.ts';
import { withoutContent } from '../../contract/validate-response.ts';
import { InputLimitError } from '../../lib/input-limit.ts';
import { addEntry, maxPairs } from '../../validation/parameters/source.ts';

/** The state of a request that is a `Request` of the Fetch standard. */
export interface FetchState<Caller = unknown> extends RequestState<Caller> {
  body: Uint8Array<ArrayBuffer>;
}

/**
 * Converts a request to the form that the pipeline reads.
 * @param token bearer token of requests without an `Authorization` header
 * @param limit maximum size of a body, in bytes. Of a larger one, little more is read.
 */
export async function requestHeadOf(
  request: Request,
  token: string | undefined,
  limit = Number.POSITIVE_INFINITY,
): Promise<{ head: RequestHead; body: FetchState['body'] }> {
  const body =
    limit === Number.POSITIVE_INFINITY
      ? new Uint8Array(await request.arrayBuffer())
      : await readUpTo(request.body, limit);
  const { pathname, search } = new URL(request.url);
  const headers: Record<string, string> = {};
  const rawHeaders: string[] = [];
  const sent = new Headers(request.headers);
  if (token !== undefined && !sent.has('authorization')) sent.set('authorization', `Bearer ${token}`);
  sent.forEach((value, name) => {
    // The names are in lower case in browsers and Node, but not in happy-dom.
    headers[name.toLowerCase()] = value;
    rawHeaders.push(name, value);
  });
  if (body.length > 0) headers['content-length'] = String(body.length);
  return {
    head: {
      url: pathname + search,
      method: request.method,
      headers,
      rawHeaders,
    },
    body,
  };
}

/** Converts a response of the pipeline. @param send changes how the body is sent */
export function toResponse(
  { status, headers: given, cookies = [], payload }: ValidatedResponse,
  method: string,
  send: (body: string | Uint8Array<ArrayBuffer>) => BodyInit = (body) => body,
): Response {
  const headers = new Headers(given);
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  if (payload === undefined || method === 'HEAD' || withoutContent.includes(status))
    return new Response(undefined, { status, headers });
  return new Response(send(payload instanceof Uint8Array ? new Uint8Array(payload) : payload), {
    status,
    headers,
  });
}

/** Reads a body until it is larger than a limit. */
async function readUpTo(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size > limit) await reader?.cancel();
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Reads the bodies of requests of the Fetch standard. */
export const fetchSource: RequestSource<FetchState> = {
  async readBody({ req, body }, operation, limit) {
    const type = acceptedType(req, operation);
    if (body.length > limit) throw bodyTooLarge(limit);
    return parseBody(body, type, req, operation, partsOf);
  },
  addressOf: () => () => '',
};

async function partsOf(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormParts> {
  const form = await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
  const parts: FormParts = { texts: new Map(), files: new Map() };
  const files: [name: string, file: File][] = [];
  if ([...form.keys()].length > maxPairs)
    throw new InputLimitError(`The form has more than ${maxPairs} parts.`);
  form.forEach((value, name) => {
    if (typeof value === 'string') addEntry(parts.texts, name, value);
    else files.push([name, value]);
  });
  for (const [name, file] of files) {
    const content = new Uint8Array(await file.arrayBuffer());
    addEntry(parts.files, name, { content, fileName: file.name, mediaType: file.type });
  }
  return parts;
}
