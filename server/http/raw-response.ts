import { type ApiErrorResponse, errorBody, errorResponse } from '../errors.ts';
import { STATUS_CODES } from '../lib/node-http.ts';
import { securityHeaders } from './express/send-response.ts';

/** Maximum size of a request's headers, in bytes. */
export const maxHeaderBytes = 16_384;

/** Returns the error response to malformed HTTP. */
export const malformedHttp = (message: string, fields = ''): ApiErrorResponse =>
  errorResponse('malformedRequest', { message, fields });

/** Returns the error response for an error code of Node's HTTP parser. */
export function parserErrorResponse(code: string | undefined): ApiErrorResponse {
  if (code === 'HPE_HEADER_OVERFLOW')
    return errorResponse('headersTooLarge', {
      message: `The headers are larger than ${maxHeaderBytes} bytes.`,
    });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorResponse('requestTimeout');
  return malformedHttp('The request is not valid HTTP.');
}

/** Serializes an error response for a connection on which Node offers no response object. */
export function toRawResponse(why: ApiErrorResponse, requestId: string, headOnly: boolean): string {
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
