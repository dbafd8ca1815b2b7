import { ownOf } from '../../../../server/lib/own-property.ts';
import { parsedJson } from '../../../lib/parsed-json.ts';
import { templateNames } from '../../../testing/requests/path-template.ts';
import { credentialHeaders, credentialParameters } from '../../mock/credential-headers.ts';
import type { SecurityScheme } from '../../model/operation.ts';

/** The values that a sample sends. */
export interface SampleParts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  body: unknown;
  mediaType: string | undefined;
  /** Names of the files of a form. */
  files: readonly string[];
}

/** The mock to which samples send their requests. */
export interface SampleTarget {
  /** With the path of the contract's first server. */
  url: string;
  /** A credential that it accepts for every scheme. */
  token: string;
}

/** Stands for a value of which each run of a sample creates another, such as that of `Idempotency-Key`. */
export const newKey = 'a-new-key';

/** Returns a comment that names the source of the value of `If-Match`; an empty string without this header. */
export const sourceComment = (mark: string, headers: readonly { name: string }[]): string =>
  headers.some(({ name }) => name.toLowerCase() === 'if-match')
    ? `${mark} If-Match: the ETag of the response that you read or updated last.\n`
    : '';

/** A value of a request, as text. */
export interface SentValue {
  in: 'path' | 'query' | 'header';
  name: string;
  value: string;
}

/** A request as it is sent. */
export interface SampleRequest {
  /** In upper case. */
  method: string;
  /** The path of the operation, with the names of its parameters. */
  path: string;
  /** The values of the URL and the headers. */
  values: readonly SentValue[];
  /** Percent-encoded, without characters that end or continue a string of a programming language. */
  url: string;
  headers: readonly { name: string; value: string }[];
  body: string | undefined;
  /** Headers of the response whose values no other response has. */
  keptHeaders: readonly string[];
}

/**
 * Returns the request of an operation to the mock, with a credential of the mock.
 * @returns undefined for forms with files, bodies without text, and headers that no program can send
 */
export function sampleRequest(
  { url, token }: SampleTarget,
  method: string,
  path: string,
  parts: SampleParts,
  schemes: readonly SecurityScheme[],
  keptHeaders: readonly string[],
): SampleRequest | undefined {
  const { body, mediaType = '', header } = parts;
  if (body !== undefined && !isJson(mediaType)) return undefined;
  const named = (given: Record<string, unknown>) =>
    Object.entries(given).map(([name, value]) => ({ name, value }));
  const names = templateNames(path).map((name) => ({ name, value: ownOf(parts.path, name) ?? 1 }));
  const keys = credentialParameters(schemes).map((name) => ({ name, value: token }));
  const type = body === undefined ? [] : [{ name: 'Content-Type', value: mediaType }];
  const valuesIn = (place: SentValue['in'], given: { name: string; value: unknown }[]) =>
    given.map(({ name, value }) => ({ in: place, name, value: parameterText(value) }));
  const values = [
    ...valuesIn('path', names),
    ...valuesIn('query', [...named(parts.query), ...keys]),
    ...valuesIn('header', [...credentialHeaders(schemes, token), ...named(header), ...type]),
  ];
  const text =
    body === undefined ? undefined : JSON.stringify(body, null, 2).replaceAll(invisible, escapeUnit);
  const request = sentRequest(url, method, path, values, text, keptHeaders);
  const isSendable = request.headers.every(
    (each) => /^[\w-]+$/.test(each.name) && /^[\x20-\x7e]*$/.test(each.value),
  );
  return isSendable ? request : undefined;
}

/** Characters that terminals or editors interpret instead of showing them. */
const invisible = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes the UTF-16 code units of a character as JSON. */
const escapeUnit = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const isJson = (mediaType: string): boolean => /^application\/([\w.-]+\+)?json$/.test(mediaType);

/** Returns a parameter as text. An object of an example can have a property named toString. */
function parameterText(value: unknown): string {
  if (Array.isArray(value)) return value.map(parameterText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Returns a request as it is sent.
 * @param url the server's, with the base path
 * @param path with the names of its parameters
 */
export function sentRequest(
  url: string,
  method: string,
  path: string,
  values: readonly SentValue[],
  body: string | undefined,
  keptHeaders: readonly string[],
): SampleRequest {
  // Without the slash, the path could continue the host name.
  const absolute = path.startsWith('/') ? path : `/${path}`;
  return {
    method: method.toUpperCase(),
    path: absolute,
    values,
    url: url + targetOf(absolute, values).replaceAll(/[^\w./~%?&=+,:@-]/gu, encodeSign),
    headers: values.filter((each) => each.in === 'header').map(({ name, value }) => ({ name, value })),
    body,
    keptHeaders,
  };
}

/** Returns the text of a parameter as a value of its type. @param type of which the first word counts */
export function typedValue(value: string, type: string): unknown {
  const [kind = ''] = /^\w*/.exec(type) ?? [];
  if (kind === 'array') return value.split(',');
  return ['integer', 'number', 'boolean'].includes(kind) ? (parsedJson(value) ?? value) : value;
}

/** Encodes a character that `encodeURIComponent` leaves alone, too. */
const encodeSign = (sign: string): string =>
  Array.from(
    new TextEncoder().encode(sign),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');

/** Returns the path and the query of a request, percent-encoded. */
function targetOf(path: string, values: readonly SentValue[]): string {
  const filled = path.replaceAll(/\{([^}]+)\}|([^{]+|\{)/g, (_all, name: string | undefined, text: string) =>
    name === undefined
      ? // The path may contain percent-encoded characters.
        encodeURI(text.toWellFormed()).replaceAll(/%25(?=[\da-f]{2})/gi, '%')
      : encodeURIComponent(
          values.find((each) => each.in === 'path' && each.name === name)?.value.toWellFormed() ?? '',
        ),
  );
  const query = new URLSearchParams(
    values.filter((each) => each.in === 'query').map(({ name, value }) => [name, value]),
  );
  return `${filled}${query.size > 0 ? `?${query}` : ''}`;
}
