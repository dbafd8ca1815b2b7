/** The phrases of the statuses with which requests are rejected (RFC 9110, section 15). Pages have no `node:http`. */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

/** Returns the phrase of an error status, which is the title of its problem document (RFC 9457, section 4.2.1). */
export const statusPhrase = (status: number): string =>
  phrases[status] ?? (status < 500 ? 'Client Error' : 'Server Error');
