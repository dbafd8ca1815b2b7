import { isObject } from '../../../../server/lib/json-object.ts';
import { type ParameterRule, writeQuery } from './serialize-parameters.ts';

/** How a client sends a body that openapi-fetch would send as JSON. */
export interface Form {
  kind: 'multipart' | 'multipart if it has files' | 'urlencoded';
  /** How the properties with an encoding of their own are sent. */
  fields: readonly ParameterRule[];
}

/**
 * Writes the body of a request. Without an encoding of their own, objects in a form are JSON, and lists one value per item.
 * @param body the body of the call; `FormData` and other classes stay as they are
 * @throws TypeError if the encoding of a property cannot express a value
 */
export function writeForm({ kind, fields }: Form, body: unknown): unknown {
  if (!isPlain(body)) return body;
  const files = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().flatMap((each: unknown) => (each instanceof Blob ? [[name, each] as const] : [])),
  );
  if (kind === 'multipart if it has files' && files.length === 0) return JSON.stringify(body);
  const names = new Set(files.map(([name]) => name));
  const others = Object.entries(body).filter(([name]) => !names.has(name));
  const isEncoded = (name: string) => fields.some((field) => field.name === name);
  const texts = others.map(([name, value]): [string, unknown] => [
    name,
    isObject(value) && !isEncoded(name) ? JSON.stringify(value) : value,
  ]);
  const query = writeQuery(fields, Object.fromEntries(texts));
  if (kind === 'urlencoded') return query;
  const sent = new FormData();
  for (const [name, value] of new URLSearchParams(query)) sent.append(name, value);
  for (const [name, file] of files) sent.append(name, file);
  return sent;
}

/** Whether a value is an object of properties, and not one of a class such as `FormData`. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
