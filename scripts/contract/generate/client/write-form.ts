import { isObject } from '../../../../server/lib/json-object.ts';

/** How a client sends a body that openapi-fetch would send as JSON. */
export type Form = 'multipart' | 'multipart if it has files' | 'urlencoded';

/**
 * Writes the body of a request. Objects in a form are JSON, and lists one value per item.
 * @param body the body of the call; `FormData` and other classes stay as they are
 */
export function writeForm(form: Form, body: unknown): unknown {
  if (!isPlain(body)) return body;
  const values = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((each: unknown) => [name, each] as const),
  );
  if (form === 'multipart if it has files' && !values.some(([, value]) => value instanceof Blob))
    return JSON.stringify(body);
  const sent = form === 'urlencoded' ? new URLSearchParams() : new FormData();
  for (const [name, value] of values)
    if (value instanceof Blob && sent instanceof FormData) sent.append(name, value);
    else if (value !== undefined && value !== null)
      sent.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return sent;
}

/** Whether a value is an object of properties, and not one of a class such as `FormData`. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
