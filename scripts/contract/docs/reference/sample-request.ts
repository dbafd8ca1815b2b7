import { ownOf } from '../../../../server/lib/own-property.ts';
import { templateNames } from '../../../testing/requests/path-template.ts';
import { credentialHeaders, credentialParameters } from '../../mock/credential-headers.ts';
import type { SecurityScheme } from '../../model/operation.ts';
import { type SampleRequest, type SentValue, sentRequest } from './sent-request.ts';

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
): SampleRequest | undefined {
  const { body, mediaType = '', header } = parts;
  if (body !== undefined && !isJson(mediaType)) return undefined;
  const names = templateNames(path).map((name): [string, unknown] => [name, ownOf(parts.path, name) ?? 1]);
  const keys = credentialParameters(schemes).map((name): [string, unknown] => [name, token]);
  const credentials = credentialHeaders(schemes, token).map(({ name, value }): [string, unknown] => [
    name,
    value,
  ]);
  const type: [string, unknown][] = body === undefined ? [] : [['Content-Type', mediaType]];
  const valuesIn = (place: SentValue['in'], given: [string, unknown][]) =>
    given.map(([name, value]) => ({ in: place, name, value: parameterText(value) }));
  const values = [
    ...valuesIn('path', names),
    ...valuesIn('query', [...Object.entries(parts.query), ...keys]),
    ...valuesIn('header', [...credentials, ...Object.entries(header), ...type]),
  ];
  const text = body === undefined ? undefined : JSON.stringify(body, null, 2);
  const request = sentRequest(url, method, path, values, text?.replaceAll(invisible, escapeUnit));
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
