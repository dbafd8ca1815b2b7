import { goNative } from '@scalar/snippetz/plugins/go/native';
import { phpCurl } from '@scalar/snippetz/plugins/php/curl';
import { pythonRequests } from '@scalar/snippetz/plugins/python/requests';
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl';
import type { CodeFigure } from '../code-figure.ts';
import { newKey, type SampleRequest, sourceComment } from './sample-request.ts';

/** A language whose code a library writes. */
interface Language {
  label: string;
  language: string;
  plugin: typeof phpCurl;
  /** Whether the library gets JSON as text: it would unescape characters for curl, and write `{}` as a list in PHP. */
  asText?: true;
  /** Completes the code of the library, so that it shows the response with the kept headers, and checks its status. */
  complete: (code: string, keptHeaders: readonly string[]) => string;
}

/** Keeps the library from writing `: true` inside a string as `: True`. Unicode reserves it for internal use. */
const mark = '\uffff';

const markedStrings = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => text.replaceAll(/: (?=true|false|null)/g, `: ${mark}`));

/** The library indents the first level by four spaces, and the others by two. It keeps a short URL in the first line. */
function completePython(code: string, keptHeaders: readonly string[]): string {
  const call = code
    .replace(/^(requests\.\w+\()(".*"),\n/, '$1\n    $2,\n')
    .replaceAll(/^ {4}( +)/gm, (_all, deeper: string) => ' '.repeat(4 + 2 * deeper.length))
    .replace(/(?<=[^,])\n\)$/, ',\n)')
    .replaceAll(mark, '');
  const withKey = call.replace(`"${newKey}"`, 'str(uuid.uuid4())');
  const headers = keptHeaders.map((name) => `, response.headers.get("${name}")`);
  return `${withKey === call ? '' : 'import uuid\n'}import requests

response = ${withKey}
print(response.status_code, response.text${headers.join('')})
response.raise_for_status()`;
}

/** The library writes all headers in one line, and ignores the response. `curl_close` has no effect since PHP 8.0. */
const completePhp = (code: string, keptHeaders: readonly string[]): string => `<?php
${code
  .replace(/(?<=CURLOPT_HTTPHEADER, \[).*(?=\]\);)/, (headers) =>
    headers
      .replace(`: ${newKey}'`, ": ' . bin2hex(random_bytes(16))")
      .replaceAll(/('(?:[^'\\]|\\.)*'(?: \. bin2hex\(random_bytes\(16\)\))?)(?:, |$)/g, '\n    $1,')
      .concat('\n'),
  )
  .replace(
    /\ncurl_exec\(\$ch\);\s+curl_close\(\$ch\);$/,
    () => `curl_setopt($ch, CURLOPT_RETURNTRANSFER, true);${keptHeaders.length > 0 ? phpHeaders(keptHeaders) : ''}

$body = curl_exec($ch);
if ($body === false) {
    throw new RuntimeException(curl_error($ch));
}
$status = curl_getinfo($ch, CURLINFO_RESPONSE_CODE);
if ($status >= 400) {
    throw new RuntimeException("$status: $body");
}
echo $body, PHP_EOL;`,
  )}`;

/** One function prints all headers, because curl calls only the last one that is set. */
const phpHeaders = (names: readonly string[]): string => `
curl_setopt($ch, CURLOPT_HEADERFUNCTION, function ($ch, $line) {
    if (${names.map((name) => `stripos($line, '${name}:') === 0`).join(' || ')}) {
        echo $line;
    }
    return strlen($line);
});`;

/** The library ignores errors. Lines of a body begin with a brace, or with spaces. */
const completeGo = (code: string, keptHeaders: readonly string[]): string =>
  withGoKey(code)
    .replace('\t"io"\n', '\t"io"\n\t"log"\n')
    .replaceAll(
      /^\t(req|res|body), _ := (.*)\n+/gm,
      (_all, name: string, call: string) =>
        `\t${name}, err := ${call}\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n`,
    )
    .replace(
      /\n\tfmt\.Println\(res\)\n(.*)\n\n\}$/,
      '\n\tif res.StatusCode >= 400 {\n\t\tlog.Fatalf("%s: %s", res.Status, body)\n\t}\n$1\n}',
    )
    .replace(
      /\}$/,
      () => `${keptHeaders.map((name) => `\tfmt.Println(res.Header.Get("${name}"))\n`).join('')}}`,
    );

const withGoKey = (code: string): string =>
  code.includes(`"${newKey}")`)
    ? code.replace(`"${newKey}")`, 'rand.Text())').replace('import (\n', 'import (\n\t"crypto/rand"\n')
    : code;

/** The header of the key is the only one with quotes in which the shell runs commands. */
const completeCurl = (code: string, keptHeaders: readonly string[]): string =>
  code
    .replace(new RegExp(`'([\\w-]+: )${newKey}'`), '"$1$(openssl rand -hex 16)"')
    .replace(/^curl/, keptHeaders.length > 0 ? 'curl --fail-with-body --include' : 'curl --fail-with-body');

const languages: readonly Language[] = [
  { label: 'curl', language: 'sh', plugin: shellCurl, asText: true, complete: completeCurl },
  { label: 'Python', language: 'python', plugin: pythonRequests, complete: completePython },
  { label: 'PHP', language: 'php', plugin: phpCurl, asText: true, complete: completePhp },
  { label: 'Go', language: 'go', plugin: goNative, complete: completeGo },
];

/** Returns programs in several languages that send a request. */
export const requestSamples = ({ method, url, headers, body, keptHeaders }: SampleRequest): CodeFigure[] =>
  languages.map(({ label, language, plugin, asText, complete }) => {
    const mimeType = asText ? 'application/octet-stream' : 'application/json';
    const code = plugin.generate({
      method,
      url,
      headers: [...headers],
      ...(body === undefined ? {} : { postData: { mimeType, text: asText ? body : markedStrings(body) } }),
    });
    const comment = sourceComment(/php|go/.test(language) ? '//' : '#', headers);
    const text = complete(code.trim(), keptHeaders).replace(/^(<\?php\n)?/, (tag) => tag + comment);
    return { label, language, text };
  });
