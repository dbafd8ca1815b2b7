import {
  asJson,
  type FuzzGenerator,
  type FuzzInput,
  type FuzzTarget,
  rawRequest,
  utf8,
} from './generator.ts';

/** An input that has broken other servers, and the expected response. */
export interface CorpusEntry {
  what: string;
  /** The accepted statuses; `none` is a closed connection without a response. */
  right: FuzzInput['right'];
  bytes: (target: FuzzTarget) => string;
  stored?: NonNullable<FuzzInput['stored']>;
}

const contact = '{"first_name":"Ada"}';
const get =
  (path: string, ...headers: string[]) =>
  (target: FuzzTarget) =>
    rawRequest(`GET ${path}`, { ...target, headers });
const create =
  (body: string, ...headers: string[]) =>
  (target: FuzzTarget) =>
    rawRequest('POST /api/v1/contacts', { ...target, headers: [asJson, ...headers], body: utf8(body) });
const say = (payload: string) => ({
  bytes: ({ token, conversationId }: FuzzTarget) =>
    rawRequest('POST /api/v1/messages', {
      token,
      headers: [asJson],
      body: utf8(JSON.stringify({ conversation_id: conversationId, type: 'text', payload })),
    }),
  stored: { name: 'payload', text: payload },
});
const bare =
  (...lines: string[]) =>
  ({ token }: FuzzTarget) =>
    [lines[0], 'Host: a', `Authorization: Bearer ${token}`, ...lines.slice(1), '', ''].join('\r\n');

/** Inputs that broke other servers. */
export const fuzzCorpus: readonly CorpusEntry[] = [
  {
    what: 'a body larger than the limit is rejected before it is read',
    right: [413],
    bytes: bare('POST /api/v1/contacts HTTP/1.1', asJson, 'Content-Length: 1048577'),
  },
  { what: 'a gzip bomb is not decompressed', right: [415], bytes: create(contact, 'Content-Encoding: gzip') },
  { what: 'a brotli bomb is not decompressed', right: [415], bytes: create(contact, 'Content-Encoding: br') },
  { what: 'a coding twice', right: [415], bytes: create(contact, 'Content-Encoding: gzip, gzip') },
  {
    what: 'a hundred thousand levels of arrays',
    right: [422],
    bytes: create('['.repeat(100_000) + ']'.repeat(100_000)),
  },
  {
    what: 'a hundred thousand levels in a value',
    right: [422],
    bytes: create(`{"first_name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  },
  {
    what: 'fifty thousand unknown names',
    right: [422],
    bytes: create(`{${Array.from({ length: 50_000 }, (_, at) => `"n${at}":1`).join(',')}}`),
  },
  {
    what: '__proto__ as a name',
    right: [422],
    bytes: create('{"first_name":"Ada","__proto__":{"status":"online"}}'),
  },
  { what: 'constructor as a name', right: [422], bytes: create('{"constructor":{"prototype":{"x":1}}}') },
  { what: '__proto__ alone', right: [422], bytes: create('{"__proto__":{"first_name":"Ada"}}') },
  { what: '__proto__ in the query', right: [422], bytes: get('/api/v1/contacts?__proto__=1') },
  { what: '__proto__[x] in the query', right: [422], bytes: get('/api/v1/contacts?__proto__[x]=1') },
  { what: 'a lone surrogate', right: [422], bytes: create('{"first_name":"\\ud800"}') },
  { what: 'surrogates in reverse order', right: [422], bytes: create('{"first_name":"\\udc00\\ud800"}') },
  { what: 'a lone surrogate in a name', right: [422], bytes: create('{"\\ud800":1}') },
  { what: 'NUL in a text', right: [422], bytes: create('{"first_name":"a\\u0000b"}') },
  { what: 'a bare NUL in JSON', right: [400], bytes: create('{"first_name":"a\0b"}') },
  {
    what: 'overlong UTF-8',
    right: [400],
    bytes: (target) =>
      rawRequest('POST /api/v1/contacts', {
        ...target,
        headers: [asJson],
        body: '{"first_name":"\xc0\xaf"}',
      }),
  },
  {
    what: 'UTF-8 cut short',
    right: [400],
    bytes: (target) =>
      rawRequest('POST /api/v1/contacts', {
        ...target,
        headers: [asJson],
        body: '{"first_name":"\xe2\x82"}',
      }),
  },
  {
    what: 'a surrogate in UTF-8',
    right: [400],
    bytes: (target) =>
      rawRequest('POST /api/v1/contacts', {
        ...target,
        headers: [asJson],
        body: '{"first_name":"\xed\xa0\x80"}',
      }),
  },
  {
    what: 'UTF-16',
    right: [400],
    bytes: (target) =>
      rawRequest('POST /api/v1/contacts', {
        ...target,
        headers: [asJson],
        body: Buffer.from('\ufeff{"first_name":"Ada"}', 'utf16le').toString('latin1'),
      }),
  },
  {
    what: 'another charset',
    right: [415],
    bytes: (target) =>
      rawRequest('POST /api/v1/contacts', {
        ...target,
        headers: ['Content-Type: application/json; charset=utf-16'],
        body: contact,
      }),
  },
  {
    what: 'a number above 2^53',
    right: [422],
    bytes: create('{"fields":[{"id":9007199254740993,"value":"x"}]}'),
  },
  {
    what: 'minus zero as an ID',
    right: [422],
    bytes: create('{"fields":[{"id":-0,"value":"x"}]}'),
  },
  { what: '1e999', right: [422], bytes: create('{"fields":[{"id":1e999,"value":"x"}]}') },
  { what: 'a number above 2^53 in the path', right: [422], bytes: get('/api/v1/contacts/9007199254740993') },
  { what: 'an array instead of a string', right: [422], bytes: create('{"first_name":["Ada"]}') },
  { what: 'an object instead of a string', right: [422], bytes: create('{"first_name":{"$ne":null}}') },
  { what: 'a parameter twice', right: [422], bytes: get('/api/v1/contacts?page=1&page=2') },
  { what: 'a parameter as a list', right: [422], bytes: get('/api/v1/contacts?page[]=1') },
  { what: '%00 in the path', right: [422], bytes: get('/api/v1/contacts/%00') },
  { what: 'an incomplete percent-encoding', right: [400], bytes: get('/api/v1/contacts/%e') },
  { what: 'overlong UTF-8 in the path', right: [400], bytes: get('/api/v1/contacts/%c0%af') },
  { what: 'an encoded slash', right: [422], bytes: get('/api/v1/contacts/1%2f..%2f2') },
  { what: 'dots in the path', right: [404], bytes: get('/api/v1/contacts/../../healthz') },
  { what: 'two slashes', right: [404], bytes: get('//api/v1/contacts') },
  { what: 'another case', right: [404], bytes: get('/API/v1/contacts') },
  { what: 'a slash at the end', right: [404], bytes: get('/api/v1/contacts/') },
  {
    what: 'two lengths',
    right: [400],
    bytes: bare('POST /api/v1/contacts HTTP/1.1', asJson, 'Content-Length: 5', 'Content-Length: 6'),
  },
  {
    what: 'Content-Length and chunked',
    right: [400],
    bytes: bare('POST /api/v1/contacts HTTP/1.1', asJson, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  },
  {
    what: 'an unknown transfer coding',
    right: [400],
    bytes: bare('POST /api/v1/contacts HTTP/1.1', asJson, 'Transfer-Encoding: identity'),
  },
  { what: 'two hosts', right: [400], bytes: get('/api/v1/contacts', 'Host: b') },
  { what: 'headers of 20 KB', right: [431], bytes: get('/api/v1/contacts', `X: ${'x'.repeat(20_000)}`) },
  {
    what: 'two thousand headers',
    right: [431],
    bytes: get('/api/v1/contacts', ...Array.from({ length: 2_000 }, (_, at) => `X-${at}: y`)),
  },
  { what: 'an unknown method', right: [400], bytes: bare('BREW /api/v1/contacts HTTP/1.1') },
  { what: 'TRACE', right: [405], bytes: bare('TRACE /api/v1/contacts HTTP/1.1') },
  { what: 'CONNECT', right: [405], bytes: bare('CONNECT a:443 HTTP/1.1') },
  { what: 'HTTP/2 without negotiation', right: [400], bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  {
    what: 'TLS on the HTTP port',
    right: [400],
    bytes: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  },
  {
    what: 'a token twice',
    right: [401],
    bytes: (target) => rawRequest('GET /api/v1/contacts', { token: `x, Bearer ${target.token}` }),
  },
  {
    what: 'a method override',
    right: [200],
    bytes: get('/api/v1/contacts', 'X-HTTP-Method-Override: DELETE'),
  },
  {
    what: 'markup and SQL',
    right: [201],
    ...say(`<script>alert(1)</script> '; drop table messages; --`),
  },
  {
    what: 'control characters, joiners and direction marks',
    right: [201],
    ...say('\u0001\u200b\u202e\u{1f468}\u200d\u{1f469}\ufeff\u2028'),
  },
  { what: 'the last code point', right: [201], ...say('\u{10ffff}') },
  { what: 'similar letters, which are not normalized', right: [201], ...say('e\u0301 é ﬁ İ ß') },
];

/** Yields the entries of the corpus in turn. */
export function corpusGenerator(): FuzzGenerator {
  let turn = 0;
  return {
    name: 'corpus',
    what: 'inputs that have broken other services, each with its expected response (scripts/lab/fuzz/corpus.ts)',
    attempt(_chance, target) {
      const picked = fuzzCorpus[turn % fuzzCorpus.length];
      if (!picked) throw new Error('The list is empty.');
      turn += 1;
      const { bytes, right, stored } = picked;
      return { bytes: bytes(target), right, ...(stored ? { stored } : {}) };
    },
  };
}
