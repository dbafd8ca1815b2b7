import type { HttpResponse } from '../requests/send.ts';

/** The body as JSON; undefined where it is none. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The places that a refusal of our shape names; undefined where it has another one. */
export function locationsIn({ text }: HttpResponse): string[] | undefined {
  const body = parseJson(text)?.value;
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body))
    return undefined;
  if (!('fields' in body) || typeof body.fields !== 'string') return undefined;
  return body.fields === '' ? [] : body.fields.split(', ');
}

/** The code of a refusal of our shape. */
export function codeIn({ text }: Pick<HttpResponse, 'text'>): number | undefined {
  const body = parseJson(text)?.value;
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number'
    ? body.code
    : undefined;
}
