import type { HttpResponse } from '../requests/send.ts';

/** Parses a body as JSON. Returns undefined if it is invalid. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Returns the invalid locations that an error response in Parley's format names; undefined for other formats. */
export function locationsIn({ text }: HttpResponse): string[] | undefined {
  const body = parseJson(text)?.value;
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body))
    return undefined;
  if (!('fields' in body) || typeof body.fields !== 'string') return undefined;
  return body.fields === '' ? [] : body.fields.split(', ');
}

/** Returns the code of an error response in Parley's format; undefined for other formats. */
export function codeIn({ text }: Pick<HttpResponse, 'text'>): number | undefined {
  const body = parseJson(text)?.value;
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number'
    ? body.code
    : undefined;
}
