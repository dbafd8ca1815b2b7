import { isObject } from '../../../../server/lib/json-object.ts';
import { newKey, type SampleParts, sourceComment } from './sample-request.ts';

// A call in this text would count as one of ours (hostile-output.test.ts).
const print = 'console.log';

/** Returns code that calls an operation with an openapi-fetch client, and shows the response. @param variable the name of the client's variable */
export function typescriptSample(
  variable: string,
  method: string,
  path: string,
  { path: inPath, query, header, body, files }: Omit<SampleParts, 'mediaType'>,
  keptHeaders: readonly string[],
): string {
  const given = Object.entries({ path: inPath, query, header }).filter(
    ([, values]) => Object.keys(values).length > 0,
  );
  const options = {
    ...(given.length > 0 ? { params: Object.fromEntries(given) } : {}),
    ...(body === undefined ? {} : { body: withFiles(body, files) }),
  };
  const rest = Object.keys(options).length > 0 ? `, ${literal(options, '  ')}` : '';
  const names = ['data', 'error', ...(keptHeaders.length > 0 ? ['response'] : [])];
  const printed = ['data', ...keptHeaders.map((name) => `response.headers.get(${literal(name)})`)];
  // Narrow windows show the path in its own line.
  const headers = Object.keys(header).map((name) => ({ name }));
  return `${sourceComment('//', headers)}const { ${names.join(', ')} } =
  await ${variable}.${method.toUpperCase()}(${literal(path)}${rest});
if (error) throw error;
${printed.map((value) => `${print}(${value});`).join('\n')}`;
}

const blob = Symbol('The content of a file.');

/** Replaces the files of a form with `Blob`s. */
const withFiles = (body: unknown, files: readonly string[]): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, files.includes(name) ? blob : value]),
      )
    : body;

/** Maximum number of characters of a list or an object in one line. */
const maxLine = 40;

/** Writes a value of JSON as TypeScript, without invisible characters. */
export function literal(value: unknown, indent = ''): string {
  if (value === blob) return 'new Blob([bytes])';
  if (value === newKey) return 'crypto.randomUUID()';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const items = Object.entries(value).map(([name, item]) => {
    const text = literal(item, `${indent}  `);
    return Array.isArray(value) ? text : `${keyOf(name)}: ${text}`;
  });
  const [start, end] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${start}${end}`;
  const line = items.join(', ');
  if (indent.length + line.length <= maxLine && !line.includes('\n'))
    return Array.isArray(value) ? `[${line}]` : `{ ${line} }`;
  return `${start}\n${items.map((item) => `${indent}  ${item},\n`).join('')}${indent}${end}`;
}

/** `__proto__` without brackets would set the prototype. */
const keyOf = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : /^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name);

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`.replaceAll(
    /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
