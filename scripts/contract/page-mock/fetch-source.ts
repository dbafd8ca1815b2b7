import type { RequestSource } from '../../../server/pipeline/accept-request.ts';
import type { RequestHead, RequestState } from '../../../server/pipeline/exchange.ts';
import { append, type FormParts } from '../../../server/pipeline/multipart-form.ts';
import { acceptedType, bodyTooLarge, parseBody } from '../../../server/pipeline/parse-body.ts';

/** The state of a request that a page has made with `fetch`. */
export interface PageState extends RequestState<'mock'> {
  body: Uint8Array<ArrayBuffer>;
}

/**
 * Converts a request to the form that the pipeline reads.
 * @param token bearer token of requests without an `Authorization` header
 */
export async function requestHeadOf(
  request: Request,
  token: string | undefined,
): Promise<{ head: RequestHead; body: PageState['body'] }> {
  const body = new Uint8Array(await request.arrayBuffer());
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

/** Reads the bodies of requests inside a page. */
export const fetchSource: RequestSource<PageState> = {
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
  form.forEach((value, name) => {
    if (typeof value === 'string') append(parts.texts, name, value);
    else files.push([name, value]);
  });
  for (const [name, file] of files) {
    const content = new Uint8Array(await file.arrayBuffer());
    append(parts.files, name, { content, fileName: file.name, mediaType: file.type });
  }
  return parts;
}
