import { isObject } from '../../../../server/lib/json-object.ts';
import { escapePointer, unescapePointer } from '../../../../server/lib/json-text.ts';

/** A value inside a JSON body. */
export interface JsonLocation {
  /** JSON Pointer. */
  pointer: string;
  /** The pointer with `*` in place of array indexes. */
  pattern: string;
  value: unknown;
}

/** Returns all values of a body, outer ones first. */
export function locationsIn(value: unknown, pointer = '', pattern = ''): JsonLocation[] {
  const inner = Array.isArray(value)
    ? value.flatMap((each, index) => locationsIn(each, `${pointer}/${index}`, `${pattern}/*`))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, each]) =>
          locationsIn(each, `${pointer}/${escapePointer(name)}`, `${pattern}/${escapePointer(name)}`),
        )
      : [];
  return [{ pointer, pattern, value }, ...inner];
}

/** Returns a copy of a body with another value at a location that exists. @param value undefined removes the property */
export function withValue(body: unknown, pointer: string, value: unknown): unknown {
  if (pointer === '') return value;
  const [, token = '', ...rest] = pointer.split('/');
  const tail = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (Array.isArray(body)) {
    const index = Number(token);
    return index < body.length ? body.with(index, withValue(body[index], tail, value)) : body;
  }
  if (!isObject(body)) return body;
  const name = unescapePointer(token);
  const { [name]: known, ...others } = body;
  const changed = withValue(known, tail, value);
  return changed === undefined ? others : { ...body, [name]: changed };
}
