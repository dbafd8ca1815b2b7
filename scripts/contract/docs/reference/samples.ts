import { isObject, type JsonObject } from '../../../../server/lib/json-object.ts';
import { ownOf } from '../../../../server/lib/own-property.ts';
import { replaceControlCharacters } from '../../../../server/lib/terminal.ts';
import { once } from '../../../lib/once.ts';
import { shellQuoted } from '../../../lib/shell-text.ts';
import { operationsOf, type TestedOperation } from '../../../testing/requests/operations.ts';
import { shellVariable } from '../../../testing/requests/serialize.ts';
import { tryGenerate } from '../../../testing/schema-values/arbitrary.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../testing/schema-values/schema-context.ts';
import { createValues } from '../../mock-server/generated-values.ts';
import type { Contract } from '../../model/contract.ts';
import type { Operation, SecurityScheme } from '../../model/operation.ts';
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
  /** Names of the files of a form. */
  files: readonly string[];
}

/** Creates the samples of a contract's operations. */
export type SamplesOf = (operation: Operation) => OperationSamples;

/**
 * Returns a function that writes code which calls an operation: with an openapi-fetch client, and with curl. What the contract
 * shows no example of is generated.
 */
export function createSamples(contract: Contract, { variable }: SampleClient): SamplesOf {
  const context = createSchemaContext(contract.view('request').document);
  const values = createValues(context);
  const tested = once(() => new Map(operationsOf(context).map((each) => [each.id, each])));
  const shownValue = (node: JsonObject, schema: JsonSchema | undefined, name: string): unknown =>
    exampleIn(contract, node) ?? (schema && tryGenerate(() => values.body(schema, [name])));
  return (operation) => {
    const { method, path } = operation;
    const found = tested().get(operation.id);
    const parts = partsOf(operation, found, shownValue);
    return {
      typescript: typescriptSample(variable, method, path, parts),
      curl: curlSample(method, path, parts, operation.securitySchemes[0] ?? []),
    };
  };
}

/** Only required parts are sent: others, such as a range of dates, would narrow the result. */
function partsOf(
  { parameters, body }: Operation,
  tested: TestedOperation | undefined,
  shownValue: (node: JsonObject, schema: JsonSchema | undefined, name: string) => unknown,
): Parts {
  const valuesIn = (location: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === location && parameter.required)
        .map(({ name, node }) => {
          const schema = tested?.parameters.find(
            (each) => each.in === location && each.name === name,
          )?.schema;
          return [name, shownValue(node, schema, name) ?? 1];
        }),
    );
  const [content] = body?.content ?? [];
  const schema = body?.required ? tested?.body?.content[0]?.schema : undefined;
  return {
    path: valuesIn('path'),
    query: valuesIn('query'),
    header: valuesIn('header'),
    body: content && shownValue(content.node, schema, 'body'),
    mediaType: content?.mediaType,
    files: tested?.files ?? [],
  };
}

function typescriptSample(
  variable: string,
  method: string,
  path: string,
  { path: inPath, query, header, body, files }: Parts,
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

function curlSample(method: string, path: string, parts: Parts, schemes: readonly SecurityScheme[]): string {
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
  const keys = schemes.filter(({ type, in: location }) => type === 'apiKey' && location === 'query');
  const key = keys.map(({ name = '' }, index) => {
    const mark = index === 0 && query.size === 0 ? '?' : '&';
    const pair = `${mark}${encodeURIComponent(name.toWellFormed())}=`;
    return `${shellQuoted(pair)}"$${shellVariable(name)}"`;
  });
  const lines = [
    `curl${method.toUpperCase() === 'GET' ? '' : ` -X ${method.toUpperCase()}`} ${url}${key.join('')}`,
    ...schemes.flatMap(credentialOption),
    ...Object.entries(parts.header).map(
      ([name, value]) => `-H ${shellQuoted(replaceControlCharacters(`${name}: ${textOf(value)}`))}`,
    ),
    ...bodyOptions(parts),
  ];
  return lines.join(' \\\n  ');
}

/** Returns the option with a credential; none for keys in the query and for certificates. */
function credentialOption({ type, in: location, name = '', scheme = 'bearer' }: SecurityScheme): string[] {
  if (type === 'mutualTLS' || (type === 'apiKey' && location === 'query')) return [];
  if (type === 'http' && scheme.toLowerCase() === 'basic') return ['-u "$USER:$PASSWORD"'];
  if (type !== 'apiKey') return ['-H "Authorization: Bearer $TOKEN"'];
  const shown = replaceControlCharacters(name) + (location === 'cookie' ? '=' : ': ');
  const variable = `$${shellVariable(name)}`;
  const value = /^[\w-]+[=:] ?$/.test(shown) ? `"${shown}${variable}"` : `${shellQuoted(shown)}"${variable}"`;
  return [`${location === 'cookie' ? '-b' : '-H'} ${value}`];
}

function bodyOptions({ body, mediaType, files }: Parts): string[] {
  if (body === undefined) return [];
  if (mediaType === 'multipart/form-data' && isObject(body))
    return Object.entries(body).map(([name, value]) =>
      files.includes(name)
        ? `-F ${shellQuoted(`${formName(name)}=@file`)}`
        : `--form-string ${shellQuoted(`${formName(name)}=${textOf(value)}`)}`,
    );
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return [
    `-H ${shellQuoted(`Content-Type: ${mediaType}`)}`,
    // Without --data-raw, curl sends the file that a text such as @file names.
    `${text.startsWith('@') ? '--data-raw' : '-d'} ${shellQuoted(text)}`,
  ];
}

/** Returns the name of a part. An equals sign would end it. */
const formName = (name: string): string => name.replaceAll('=', '%3D');

/** Returns a parameter as text. An object of an example can have a property named toString. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
