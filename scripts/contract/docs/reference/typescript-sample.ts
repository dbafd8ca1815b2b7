import { isObject } from '../../../../server/lib/json-object.ts';
import type { SampleParts } from './sample-request.ts';

/** Returns the call of an operation with an openapi-fetch client. @param variable the name of the client's variable */
export function typescriptSample(
  variable: string,
  method: string,
  path: string,
  { path: inPath, query, header, body, files }: SampleParts,
): string {
  const given = Object.entries({ path: inPath, query, header }).filter(
    ([, values]) => Object.keys(values).length > 0,
  );
  const options = {
    ...(given.length > 0 ? { params: Object.fromEntries(given) } : {}),
    ...(body === undefined ? {} : { body: withFiles(body, files) }),
  };
  const rest = Object.keys(options).length > 0 ? `, ${literal(options)}` : '';
  return `const { data, error } = await ${variable}.${method.toUpperCase()}(${quoted(path)}${rest});`;
}

/** Replaces the files of a form with `Blob`s. */
const withFiles = (body: unknown, files: readonly string[]): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, files.includes(name) ? new Blob() : value]),
      )
    : body;

/** Writes a value as TypeScript, on one line if it is short. */
function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (value instanceof Blob) return 'new Blob([bytes])';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, each]) => {
    return (deeper: string) => `${isList ? '' : `${propertyName(key)}: `}${literal(each, deeper)}`;
  });
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  const short = `${open}${entries.map((write) => write('')).join(', ')}${close}`;
  if (entries.length === 0) return isList ? '[]' : '{}';
  if (indent.length + short.length < 70 && !short.includes('\n')) return short;
  const lines = entries.map((write) => `${inner}${write(inner)},`);
  return `${open.trim()}\n${lines.join('\n')}\n${indent}${close.trim()}`;
}

/** Writes a property name of an object literal. The name `__proto__` would set the prototype. */
function propertyName(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

/** Writes a string literal of TypeScript in one line. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll(
      /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    )}'`;
