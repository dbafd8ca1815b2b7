import { errorBody, type Refusal, refusal } from '../errors.ts';
import { STATUS_CODES } from '../lib/node-http.ts';
import { forBrowsers } from '../pipeline/send-response.ts';

/** The largest block of headers that is read, in bytes. */
export const headerBytes = 16_384;

/** A refusal of what is not HTTP as its RFCs have it. */
export const malformed = (message: string, fields = ''): Refusal => refusal('malformed', { message, fields });

/** What the parser of Node has found wrong, by the code of its error. */
export function parserRefusal(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return refusal('headersTooLarge', { message: `The headers are larger than ${headerBytes} bytes.` });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('tooSlow');
  return malformed('The request is not well-formed HTTP.');
}

/** A refusal as bytes, for a connection on which Node would not write an answer of ours. */
export function rawAnswer(why: Refusal, requestId: string, headOnly: boolean): string {
  const body = JSON.stringify(errorBody(why));
  const headers = {
    ...forBrowsers,
    ...why.headers,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${why.status} ${STATUS_CODES[why.status]}\r\n${lines.join('')}\r\n${headOnly ? '' : body}`;
}
