import { goNative } from '@scalar/snippetz/plugins/go/native';
import { phpCurl } from '@scalar/snippetz/plugins/php/curl';
import { pythonRequests } from '@scalar/snippetz/plugins/python/requests';
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl';
import type { CodeFigure } from '../code-figure.ts';
import type { SampleRequest } from './sample-request.ts';

/** A language whose code a library writes. */
interface Language {
  label: string;
  language: string;
  plugin: typeof phpCurl;
  /** Whether the library gets JSON as text: it would unescape characters for curl, and write `{}` as a list in PHP. */
  asText?: true;
  before?: string;
  after?: string;
}

const languages: readonly Language[] = [
  { label: 'curl', language: 'sh', plugin: shellCurl, asText: true },
  {
    label: 'Python',
    language: 'python',
    plugin: pythonRequests,
    before: 'import requests\n\nresponse = ',
    after: '\nprint(response.status_code, response.text)',
  },
  { label: 'PHP', language: 'php', plugin: phpCurl, asText: true, before: '<?php\n' },
  { label: 'Go', language: 'go', plugin: goNative },
];

/** Returns programs in several languages that send a request. */
export const requestSamples = ({ method, url, headers, body }: SampleRequest): CodeFigure[] =>
  languages.map(({ label, language, plugin, asText, before = '', after = '' }) => {
    const mimeType = asText ? 'application/octet-stream' : 'application/json';
    const code = plugin.generate({
      method,
      url,
      headers: [...headers],
      ...(body === undefined ? {} : { postData: { mimeType, text: body } }),
    });
    return { label, language, text: before + code.trim() + after };
  });
