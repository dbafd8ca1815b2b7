import { ownOf } from '../../../../server/lib/own-property.ts';
import { replaceControlCharacters } from '../../../../server/lib/terminal.ts';
import { shellQuoted } from '../../../lib/shell-text.ts';
import type { Contract } from '../../model/contract.ts';
import type { Operation } from '../../model/operation.ts';
import { exampleIn } from './nodes.ts';

/** The client whose calls the reference shows. */
export interface SampleClient {
  /** The name of the variable that holds the client. */
  variable: string;
}

export interface OperationSamples {
  typescript: string;
  curl: string;
}

interface Parts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  body: unknown;
  mediaType: string | undefined;
}

/** Returns code that calls an operation with the contract's examples: with an openapi-fetch client, and with curl. */
export function samplesOf(
  contract: Contract,
  operation: Operation,
  { variable }: SampleClient,
): OperationSamples {
  const { method, path } = operation;
  const parts = partsOf(contract, operation);
  return {
    typescript: typescriptSample(variable, method, path, parts),
    curl: curlSample(method, path, parts, operation.security.some(hasScheme)),
  };
}

/** Whether a security requirement needs credentials. */
const hasScheme = (requirement: object): boolean => Object.keys(requirement).length > 0;

/** Only required parameters are sent: others, such as a range of dates, would narrow the result. */
function partsOf(contract: Contract, { parameters, body }: Operation): Parts {
  const valuesIn = (location: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === location && parameter.required)
        .map(({ name, node }) => [name, exampleIn(contract, node) ?? 1]),
    );
  const [content] = body?.content ?? [];
  return {
    path: valuesIn('path'),
    query: valuesIn('query'),
    header: valuesIn('header'),
    body: content && exampleIn(contract, content.node),
    mediaType: content?.mediaType,
  };
}

function typescriptSample(
  variable: string,
  method: string,
  path: string,
  { path: inPath, query, header, body }: Parts,
): string {
  const given = Object.entries({ path: inPath, query, header }).filter(
    ([, values]) => Object.keys(values).length > 0,
  );
  const options = {
    ...(given.length > 0 ? { params: Object.fromEntries(given) } : {}),
    ...(body === undefined ? {} : { body }),
  };
  const rest = Object.keys(options).length > 0 ? `, ${literal(options)}` : '';
  return `const { data, error } = await ${variable}.${method.toUpperCase()}(${quoted(path)}${rest});`;
}

/** Writes a value as TypeScript, on one line if it is short. */
function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
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

function curlSample(method: string, path: string, parts: Parts, needsToken: boolean): string {
  const filled = path.replaceAll(/\{([^}]+)\}|([^{]+|\{)/g, (_all, name: string | undefined, text: string) =>
    name === undefined
      ? // The path may contain percent-encoded characters.
        encodeURI(text.toWellFormed()).replaceAll(/%25(?=[\da-f]{2})/gi, '%')
      : encodeURIComponent(textOf(ownOf(parts.path, name) ?? 1).toWellFormed()),
  );
  const query = new URLSearchParams(
    Object.entries(parts.query).map(([name, value]) => [name, textOf(value)]),
  );
  // Without the slash, the path could continue the host name.
  const target = `${filled.startsWith('/') ? '' : '/'}${filled}${query.size > 0 ? `?${query}` : ''}`;
  const url = /^[\w./~%?&=+,:@-]*$/.test(target)
    ? `"$BASE_URL${target}"`
    : `"$BASE_URL"${shellQuoted(target)}`;
  const lines = [
    `curl${method.toUpperCase() === 'GET' ? '' : ` -X ${method.toUpperCase()}`} ${url}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(parts.header).map(
      ([name, value]) => `-H ${shellQuoted(replaceControlCharacters(`${name}: ${textOf(value)}`))}`,
    ),
    ...(parts.body === undefined
      ? []
      : [
          `-H ${shellQuoted(`Content-Type: ${parts.mediaType}`)}`,
          // Without --data-raw, curl sends the file that a text such as @file names.
          `${typeof parts.body === 'string' && parts.body.startsWith('@') ? '--data-raw' : '-d'} ${shellQuoted(typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body))}`,
        ]),
  ];
  return lines.join(' \\\n  ');
}

/** Returns a parameter as text. An object of an example can have a property named toString. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
