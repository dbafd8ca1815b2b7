import { asJson, type FuzzInput, type FuzzTarget, rawRequest, utf8 } from './fuzz-service.ts';

/** An input that has broken other servers: what it is, the accepted statuses, its bytes, and the text that is stored. */
type CorpusEntry = [
  what: string,
  right: FuzzInput['right'],
  bytes: (target: FuzzTarget) => string,
  stored?: FuzzInput['stored'],
];

const contact = '{"first_name":"Ada"}';
const get =
  (path: string, ...headers: string[]) =>
  (target: FuzzTarget) =>
    rawRequest(`GET ${path}`, { ...target, headers });
/** @param body in Latin-1 */
const createRaw =
  (body: string, ...headers: string[]) =>
  (target: FuzzTarget) =>
    rawRequest('POST /api/v1/contacts', { ...target, headers, body });
const create = (body: string, ...headers: string[]) => createRaw(utf8(body), asJson, ...headers);
const say = (what: string, payload: string): CorpusEntry => [
  what,
  [201],
  ({ token, conversationId }) =>
    rawRequest('POST /api/v1/messages', {
      token,
      headers: [asJson],
      body: utf8(JSON.stringify({ conversation_id: conversationId, type: 'text', payload })),
    }),
  { name: 'payload', text: payload },
];
const bare =
  (...lines: string[]) =>
  ({ token }: FuzzTarget) =>
    [lines[0], 'Host: a', `Authorization: Bearer ${token}`, ...lines.slice(1), '', ''].join('\r\n');
/** @param lines the headers that say where the payload ends */
const send =
  (payload: string, ...lines: string[]) =>
  (target: FuzzTarget) =>
    bare('POST /api/v1/contacts HTTP/1.1', asJson, ...lines)(target) + payload;
const length = `Content-Length: ${contact.length}`;
const chunks = 'Transfer-Encoding: chunked';
const chunked = `${contact.length.toString(16)}\r\n${contact}\r\n0\r\n\r\n`;

const corpus: readonly CorpusEntry[] = [
  [
    'a body larger than the limit is rejected before it is read',
    [413],
    bare('POST /api/v1/contacts HTTP/1.1', asJson, 'Content-Length: 1048577'),
  ],
  ['a gzip bomb is not decompressed', [415], create(contact, 'Content-Encoding: gzip')],
  ['a brotli bomb is not decompressed', [415], create(contact, 'Content-Encoding: br')],
  ['the content coding identity', [201], create(contact, 'Content-Encoding: identity')],
  ['a coding twice', [415], create(contact, 'Content-Encoding: gzip, gzip')],
  ['a hundred thousand levels of arrays', [422], create('['.repeat(100_000) + ']'.repeat(100_000))],
  [
    'a hundred thousand levels in a value',
    [422],
    create(`{"first_name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  ],
  [
    'fifty thousand unknown names',
    [422],
    create(`{${Array.from({ length: 50_000 }, (_, at) => `"n${at}":1`).join(',')}}`),
  ],
  ['sixty thousand items', [422], create(`{"fields":[${Array(60_000).fill('{"id":1}').join(',')}]}`)],
  ['a text of a megabyte', [422], create(`{"first_name":"${'a'.repeat(1_000_000)}"}`)],
  ['a larger body', [413], create(`{"first_name":"${'a'.repeat(1_048_576)}"}`)],
  ['__proto__ as a name', [422], create('{"first_name":"Ada","__proto__":{"status":"online"}}')],
  ['constructor as a name', [422], create('{"constructor":{"prototype":{"x":1}}}')],
  ['__proto__ alone', [422], create('{"__proto__":{"first_name":"Ada"}}')],
  ['__proto__ in the query', [422], get('/api/v1/contacts?__proto__=1')],
  ['__proto__[x] in the query', [422], get('/api/v1/contacts?__proto__[x]=1')],
  ['a lone surrogate', [422], create('{"first_name":"\\ud800"}')],
  ['surrogates in reverse order', [422], create('{"first_name":"\\udc00\\ud800"}')],
  ['a lone surrogate in a name', [422], create('{"\\ud800":1}')],
  ['NUL in a text', [422], create('{"first_name":"a\\u0000b"}')],
  ['NUL in an item', [422], create('{"fields":[{"id":1,"value":"\\u0000"}]}')],
  ['NUL in the query', [422], get('/api/v1/contacts?order=a%00')],
  ['a bare NUL in JSON', [400], create('{"first_name":"a\0b"}')],
  ['Latin-1', [400], createRaw('{"first_name":"\xff"}', asJson)],
  ['overlong UTF-8', [400], createRaw('{"first_name":"\xc0\xaf"}', asJson)],
  ['UTF-8 cut short', [400], createRaw('{"first_name":"\xe2\x82"}', asJson)],
  ['a surrogate in UTF-8', [400], createRaw('{"first_name":"\xed\xa0\x80"}', asJson)],
  [
    'UTF-16',
    [400],
    createRaw(Buffer.from('\ufeff{"first_name":"Ada"}', 'utf16le').toString('latin1'), asJson),
  ],
  ['another charset', [415], createRaw(contact, 'Content-Type: application/json; charset=utf-16')],
  ['a number above 2^53', [422], create('{"fields":[{"id":9007199254740993,"value":"x"}]}')],
  ['minus zero as an ID', [422], create('{"fields":[{"id":-0,"value":"x"}]}')],
  ['1e999', [422], create('{"fields":[{"id":1e999,"value":"x"}]}')],
  ['a number above 2^53 in the path', [422], get('/api/v1/contacts/9007199254740993')],
  ['an array instead of a string', [422], create('{"first_name":["Ada"]}')],
  ['an object instead of a string', [422], create('{"first_name":{"$ne":null}}')],
  ['a parameter twice', [422], get('/api/v1/contacts?page=1&page=2')],
  ['a parameter as a list', [422], get('/api/v1/contacts?page[]=1')],
  ['%00 in the path', [422], get('/api/v1/contacts/%00')],
  ['an incomplete percent-encoding', [400], get('/api/v1/contacts/%e')],
  ['malformed encoding in the query', [400], get('/api/v1/contacts?page=%ZZ')],
  ['overlong UTF-8 in the path', [400], get('/api/v1/contacts/%c0%af')],
  ['an encoded slash', [422], get('/api/v1/contacts/1%2f..%2f2')],
  ['dots in the path', [404], get('/api/v1/contacts/../../healthz')],
  ['two slashes', [404], get('//api/v1/contacts')],
  ['another case', [404], get('/API/v1/contacts')],
  ['a slash at the end', [404], get('/api/v1/contacts/')],
  ['the base path alone', [404], get('/api/v1')],
  ['an undocumented path', [404], get('/api/v1/fields/1')],
  ['two lengths', [400], send(contact, length, `Content-Length: ${contact.length + 1}`)],
  ['a list of lengths', [400], send(contact, `${length}, ${contact.length}`)],
  ['a negative length', [400], send(contact, 'Content-Length: -1')],
  ['a length in hexadecimal', [400], send(contact, `Content-Length: 0x${contact.length.toString(16)}`)],
  ['a length with a sign', [400], send(contact, `Content-Length: +${contact.length}`)],
  ['a length with an exponent', [400], send(contact, 'Content-Length: 1e3')],
  ['a length of a terabyte', [413], send('', `Content-Length: ${2 ** 40}`)],
  ['Content-Length and chunked', [400], send(chunked, length, chunks)],
  ['chunked twice', [400, 415], send(chunked, `${chunks}, chunked`)],
  ['another coding before chunked', [415], send(chunked, 'Transfer-Encoding: gzip, chunked')],
  ['an unknown transfer coding', [400], send(chunked, 'Transfer-Encoding: xchunked')],
  ['the transfer coding identity', [400], send('', 'Transfer-Encoding: identity')],
  ['a space before the colon', [400], send(chunked, 'Transfer-Encoding : chunked')],
  ['chunks', [201], send(chunked, chunks)],
  ['an extension of a chunk', [201], send(chunked.replace('\r', ';a=1\r'), chunks)],
  ['a chunk with a negative size', [400], send(`-1\r\n${contact}\r\n0\r\n\r\n`, chunks)],
  ['a chunk above 2^64 bytes', [400], send(`${'f'.repeat(17)}\r\n${contact}`, chunks)],
  ['chunks with line feeds alone', [400], send(chunked.replaceAll('\r', ''), chunks)],
  ['obsolete folding', [201, 400], send(contact, 'X: a\r\n folded', length)],
  ['two hosts', [400], get('/api/v1/contacts', 'Host: b')],
  ['headers of 20 KB', [431], get('/api/v1/contacts', `X: ${'x'.repeat(20_000)}`)],
  [
    'two thousand headers',
    [431],
    get('/api/v1/contacts', ...Array.from({ length: 2_000 }, (_, at) => `X-${at}: y`)),
  ],
  ['an unknown method', [400], bare('BREW /api/v1/contacts HTTP/1.1')],
  ['TRACE', [405], bare('TRACE /api/v1/contacts HTTP/1.1')],
  ['CONNECT', [405], bare('CONNECT a:443 HTTP/1.1')],
  ['HTTP/2 without negotiation', [400], () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS on the HTTP port', [400], () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  [
    'a token twice',
    [401],
    (target) => rawRequest('GET /api/v1/contacts', { token: `x, Bearer ${target.token}` }),
  ],
  ['a method override', [200], get('/api/v1/contacts', 'X-HTTP-Method-Override: DELETE')],
  say('markup and SQL', `<script>alert(1)</script> '; drop table messages; --`),
  say(
    'control characters, joiners and direction marks',
    '\u0001\u200b\u202e\u{1f468}\u200d\u{1f469}\ufeff\u2028',
  ),
  say('the last code point', '\u{10ffff}'),
  say('similar letters, which are not normalized', 'e\u0301 é ﬁ İ ß'),
];

/** Returns inputs that broke other servers, each with its expected response. */
export const corpusInputs = (target: FuzzTarget): FuzzInput[] =>
  corpus.map(([, right, bytes, stored]) => ({ bytes: bytes(target), right, stored }));
