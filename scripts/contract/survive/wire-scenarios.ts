import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGzip, type Gzip } from 'node:zlib';
import type { ScenarioInfo } from '../mock/mock-types.ts';
import { headersOf } from './observations.ts';

/** Scenarios that need a connection, so that the mock inside pages does not have them. */
export const wireScenarios: readonly ScenarioInfo[] = [
  {
    name: 'gzip',
    class: 'http',
    title: 'The body is compressed, if the client accepts gzip.',
    effect: 'nothing',
    legal: { standard: 'RFC 9110, section 8.4.1.3' },
  },
  {
    name: 'header-case',
    class: 'http',
    title: 'The names of headers are written in upper case.',
    effect: 'nothing',
    legal: { standard: 'RFC 9110, section 5.1' },
  },
  {
    name: 'early-hints',
    class: 'http',
    title: 'An informational response with the status 103 precedes the response.',
    effect: 'nothing',
    legal: { standard: 'RFC 8297, section 2, and RFC 9110, section 15.2' },
  },
  {
    name: 'connection-close',
    class: 'http',
    title: 'The connection closes after each response, and the body has no announced length.',
    effect: 'nothing',
    legal: { standard: 'RFC 9112, sections 6.3 and 9.6' },
  },
  {
    name: 'redirect',
    class: 'intermediary',
    title: 'The server redirects with 307 to another URL of its own.',
    effect: 'error',
    legal: { standard: 'RFC 9110, section 15.4.8' },
  },
];

/** Marks the URL to which a request was redirected. */
const redirected = /[?&]_redirected=1/;

/** Returns the URL that the client asked for before it was redirected. */
export const withoutRedirect = (url: string): string => url.replace(redirected, '');

/**
 * Sends a response.
 * @param scenarios names of the scenarios of the connection
 * @param onSent called with the text so far, because some bodies do not end
 * @returns the text of the body; undefined if it did not arrive whole
 */
export async function sendOverWire(
  req: IncomingMessage,
  res: ServerResponse,
  response: Response,
  scenarios: ReadonlySet<string>,
  onSent: (text: string) => void,
): Promise<string | undefined> {
  const headers = headersOf(response);
  const url = req.url ?? '/';
  if (scenarios.has('redirect') && !redirected.test(url)) {
    res.writeHead(307, { Location: `${url}${url.includes('?') ? '&' : '?'}_redirected=1` }).end();
    return undefined;
  }
  if (scenarios.has('early-hints')) res.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
  if (scenarios.has('connection-close')) {
    headers.connection = 'close';
    res.useChunkedEncodingByDefault = false;
  }
  res.statusCode = response.status;
  for (const [name, value] of Object.entries(headers))
    res.setHeader(scenarios.has('header-case') ? name.toUpperCase() : name, value);
  if (!response.body) {
    res.end();
    return '';
  }
  if (!scenarios.has('gzip') || !/gzip/.test(String(req.headers['accept-encoding'])))
    return stream(res, res, response.body, onSent);
  res.setHeader('Content-Encoding', 'gzip');
  const compressed = createGzip();
  compressed.pipe(res);
  return stream(res, compressed, response.body, onSent);
}

/** @param out the response, or what is piped into it */
async function stream(
  res: ServerResponse,
  out: ServerResponse | Gzip,
  body: ReadableStream<Uint8Array>,
  onSent: (text: string) => void,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    const reader = body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const chunk = part.value;
      text += decoder.decode(chunk, { stream: true });
      onSent(text);
      // Only what has left this process arrives if the connection is cut afterwards.
      await new Promise<void>((resolve) =>
        out.write(chunk, () => ('flush' in out ? out.flush(resolve) : resolve())),
      );
    }
  } catch {
    // The scenario cuts the body, or the client has gone.
    res.destroy();
    return undefined;
  }
  out.end();
  return text;
}
