import { goNative } from '@scalar/snippetz/plugins/go/native';
import { phpCurl } from '@scalar/snippetz/plugins/php/curl';
import { pythonRequests } from '@scalar/snippetz/plugins/python/requests';
import type { SampleRequest } from './sample-request.ts';

/** Code that calls an operation. */
export interface Sample {
  /** The name of the language, for readers. */
  label: string;
  /** The name of the language, for highlighting. */
  language: string;
  code: string;
}

/** A language whose code a library writes. */
interface Language {
  label: string;
  language: string;
  plugin: typeof phpCurl;
  /** The media type of the body, as the library receives it. */
  mimeType: string;
  before: string;
  after: string;
}

const languages: readonly Language[] = [
  {
    label: 'Python',
    language: 'python',
    plugin: pythonRequests,
    mimeType: 'application/json',
    before: 'import requests\n\nresponse = ',
    after: '\nprint(response.status_code, response.text)',
  },
  // As JSON, the library would write arrays with unescaped keys, and [] for an empty object.
  {
    label: 'PHP',
    language: 'php',
    plugin: phpCurl,
    mimeType: 'application/octet-stream',
    before: '<?php\n',
    after: '',
  },
  { label: 'Go', language: 'go', plugin: goNative, mimeType: 'application/json', before: '', after: '' },
];

/** Returns programs in several languages that send a request. */
export const requestSamples = ({ method, url, headers, body }: SampleRequest): Sample[] =>
  languages.map(({ label, language, plugin, mimeType, before, after }) => {
    const code = plugin.generate({
      method,
      url,
      headers: [...headers],
      ...(body === undefined ? {} : { postData: { mimeType, text: body } }),
    });
    return { label, language, code: before + code.trim() + after };
  });
