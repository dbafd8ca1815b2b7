import { isObject } from '../../../server/lib/json-object.ts';
import { parsedJson } from '../../lib/parsed-json.ts';
import type { HttpResponse } from '../requests/send.ts';

/** Returns the body of a response as a value; undefined if the body is not JSON. */
export const bodyIn = (response: Pick<HttpResponse, 'text'> | undefined): unknown =>
  parsedJson(response?.text ?? '');

/** Returns the invalid locations that an error response in Parley's format names; undefined for other formats. */
export function locationsIn(response: HttpResponse): string[] | undefined {
  const body = bodyIn(response);
  if (!isObject(body) || !('code' in body && 'message' in body) || typeof body.fields !== 'string')
    return undefined;
  return body.fields === '' ? [] : body.fields.split(', ');
}

/** Returns the code of an error response in Parley's format; undefined for other formats. */
export function codeIn(response: HttpResponse): number | undefined {
  const body = bodyIn(response);
  return isObject(body) && typeof body.code === 'number' ? body.code : undefined;
}
