import { isObject } from '../../../../server/lib/json-object.ts';
import { replaceControlCharacters } from '../../../../server/lib/terminal.ts';
import { shellQuoted, shellWord } from '../../../lib/shell-text.ts';
import { shellVariable } from '../../../testing/requests/serialize.ts';
import { mockToken } from '../../mock/authenticate.ts';
import type { SecurityScheme } from '../../model/operation.ts';
import { parameterText, type SampleParts, targetOf } from './sample-request.ts';

/** Returns the curl command that calls an operation, after the variables that it uses. @param mock URL of the mock */
export function curlSample(
  mock: string,
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
  const command = lines.join(' \\\n  ');
  const credentials = schemes.filter(({ type }) => type !== 'mutualTLS').map(credentialVariable);
  const variables = [`BASE_URL=${shellWord(mock)}`, ...credentials.map((name) => `${name}=${mockToken}`)];
  return `${[...new Set(variables)].join('\n')}\n${command}`;
}

/** Returns the name of the variable with the credential of a scheme. */
function credentialVariable({ type, name = '', scheme = 'bearer' }: SecurityScheme): string {
  if (type === 'http' && scheme.toLowerCase() === 'basic') return 'PASSWORD';
  return type === 'apiKey' ? shellVariable(name) : 'TOKEN';
}

/** Returns the option with a credential; none for keys in the query and for certificates. */
function credentialOption({ type, in: location, name = '', scheme = 'bearer' }: SecurityScheme): string[] {
  if (type === 'mutualTLS' || (type === 'apiKey' && location === 'query')) return [];
  if (type === 'http' && scheme.toLowerCase() === 'basic') return ['-u "user:$PASSWORD"'];
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
    `${text.startsWith('@') ? '--data-raw' : '-d'} ${typeof body === 'string' ? shellQuoted(text) : quotedLines(body)}`,
  ];
}

/** Returns the name of a part. An equals sign would end it. */
const formName = (name: string): string => name.replaceAll('=', '%3D');

/** Returns JSON as a word of the shell, with line breaks if all its characters are visible. */
function quotedLines(body: unknown): string {
  const text = JSON.stringify(body, null, 2);
  return /^[\x20-\x7e\n]*$/.test(text)
    ? `'${text.replaceAll("'", "'\\''")}'`
    : shellQuoted(JSON.stringify(body));
}
