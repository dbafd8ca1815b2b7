import { inspect } from 'node:util';
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
  return `const { data, error } = await ${variable}.${method.toUpperCase()}(${literal(path)}${rest});`;
}

const blob = { [inspect.custom]: () => 'new Blob([bytes])' };

/** Replaces the files of a form with `Blob`s. */
const withFiles = (body: unknown, files: readonly string[]): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, files.includes(name) ? blob : value]),
      )
    : body;

/** Writes a value as TypeScript, without invisible characters. */
export const literal = (value: unknown): string =>
  inspect(value, { depth: null, breakLength: 60, maxArrayLength: null, maxStringLength: null }).replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
