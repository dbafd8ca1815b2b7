import { type CatalogError, errorBody, errorResponse } from '../errors.ts';
import { STATUS_CODES } from '../lib/node-http.ts';
import { securityHeaders } from '../pipeline/send-response.ts';

/** The largest block of headers that is read, in bytes. */
export const maxHeaderBytes = 16_384;

/** A refusal of what is not HTTP as its RFCs have it. */
export const malformedHttp = (message: string, fields = ''): CatalogError =>
  errorResponse('malformedRequest', { message, fields });

/** What the parser of Node has found wrong, by the code of its error. */
export function parserErrorResponse(code: string | undefined): CatalogError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return errorResponse('headersTooLarge', {
      message: `The headers are larger than ${maxHeaderBytes} bytes.`,
    });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorResponse('requestTimeout');
  return malformedHttp('The request is not well-formed HTTP.');
}

/** A refusal as bytes, for a connection on which Node would not write an answer of ours. */
export function toRawResponse(why: CatalogError, requestId: string, headOnly: boolean): string {
  const body = JSON.stringify(errorBody(why));
  const headers = {
    ...securityHeaders,
    ...why.headers,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${why.status} ${STATUS_CODES[why.status]}\r\n${lines.join('')}\r\n${headOnly ? '' : body}`;
}
