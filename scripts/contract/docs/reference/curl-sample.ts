import { isObject } from '../../../../server/lib/json-object.ts';
import { replaceControlCharacters } from '../../../../server/lib/terminal.ts';
import { shellQuoted } from '../../../lib/shell-text.ts';
import { shellVariable } from '../../../testing/requests/serialize.ts';
import type { SecurityScheme } from '../../model/operation.ts';
import { parameterText, type SampleParts, targetOf } from './sample-request.ts';

/** Returns the curl command that calls an operation, for a shell with the variables BASE_URL and TOKEN. */
export function curlSample(
  method: string,
  path: string,
  parts: SampleParts,
  schemes: readonly SecurityScheme[],
): string {
  const target = targetOf(path, parts);
  const url = /^[\w./~%?&=+,:@-]*$/.test(target)
    ? `"$BASE_URL${target}"`
    : `"$BASE_URL"${shellQuoted(target)}`;
  const keys = schemes.filter(({ type, in: location }) => type === 'apiKey' && location === 'query');
  const key = keys.map(({ name = '' }, index) => {
    const mark = index === 0 && !target.includes('?') ? '?' : '&';
    const pair = `${mark}${encodeURIComponent(name.toWellFormed())}=`;
    return `${shellQuoted(pair)}"$${shellVariable(name)}"`;
  });
  const lines = [
    `curl${method.toUpperCase() === 'GET' ? '' : ` -X ${method.toUpperCase()}`} ${url}${key.join('')}`,
    ...schemes.flatMap(credentialOption),
    ...Object.entries(parts.header).map(
      ([name, value]) => `-H ${shellQuoted(replaceControlCharacters(`${name}: ${parameterText(value)}`))}`,
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

function bodyOptions({ body, mediaType, files }: SampleParts): string[] {
  if (body === undefined) return [];
  if (mediaType === 'multipart/form-data' && isObject(body))
    return Object.entries(body).map(([name, value]) =>
      files.includes(name)
        ? `-F ${shellQuoted(`${formName(name)}=@file`)}`
        : `--form-string ${shellQuoted(`${formName(name)}=${parameterText(value)}`)}`,
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
