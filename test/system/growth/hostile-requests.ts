import type { TestRequest } from './pipeline-requests.ts';

interface RequestCase {
  what: string;
  /** Size of the largest input, in bytes. */
  largest: number;
  make: (size: number) => TestRequest;
}

/** Node's limit on the headers of a request, including its target. */
const headerBytes = 16_384;
/** The default limit on a body. */
const bodyBytes = 1_048_000;

/** Repeats a text until it has a size. */
const fill = (size: number, text: string): string => text.repeat(Math.max(1, Math.floor(size / text.length)));

/** Joins numbered texts until they have about a size. @param length the usual length of one */
const numbered = (size: number, length: number, make: (index: number) => string, separator = ''): string =>
  Array.from({ length: Math.floor(size / length) }, (_, index) => make(index)).join(separator);

const target = (what: string, make: (size: number) => string): RequestCase => ({
  what,
  largest: headerBytes,
  make: (size) => ({ url: make(size) }),
});

const filled = (path: string, text: string): RequestCase =>
  target(`a target ${path} filled with ${text}`, (size) => path + fill(size, text));

/** A target with numbered names in its query. @param length the usual length of one */
const names = (what: string, path: string, length: number, make: (index: number) => string): RequestCase =>
  target(what, (size) => path + numbered(size, length, make, '&'));

const header = (name: string, text: string): RequestCase => ({
  what: `a header ${name} filled with ${text}`,
  largest: headerBytes,
  make: (size) => ({ url: '/composed', headers: { [name]: fill(size, text) } }),
});

export const requestCases: RequestCase[] = [
  ...['/', '.', 'a.', '%41', '%2F', '%zz', 'a'].flatMap((text) => [
    filled('/plain/', text),
    filled('/files/', text),
  ]),
  ...['a&', 'a=1&', '&', '=', '%41', '%', '+', '[', ']', '[]', '[]&', '[[]', 'list=1&', 'list=x&'].flatMap(
    (text) => [filled('/composed?', text)],
  ),
  ...['q=', 'csv=1,', 'csv='].map((text) => filled('/plain/1?', text)),
  ...['csv=', 'pipes=', 'pairs=', 'json=', 'deep='].flatMap((name) =>
    ['1,', 'x,', 'x', '1|', 'x|', '[', '{', '{"a":', '%7B%22a%22:', '%2C', '"'].map((text) =>
      filled(`/composed?${name}`, text),
    ),
  ),
  ...['deep[', 'deep[a]', 'deep[]', 'a['].flatMap((name) =>
    ['[', ']', '[a]', '[]', '[a', '%5B'].map((text) => filled(`/composed?${name}`, text)),
  ),
  names('many names in a query', '/composed?', 7, (index) => `a${index}=1`),
  names('many names with brackets', '/composed?', 12, (index) => `deep[${index}k]=1`),
  // More names with brackets, or more parts of a form, are rejected before they are parsed.
  names(
    'names with brackets below their limit',
    '/composed?',
    headerBytes / 98,
    (index) => `deep[${index}k]=${'1'.repeat(150)}`,
  ),
  names(
    'names with many brackets below their limit',
    '/composed?',
    headerBytes / 98,
    (index) => `deep[a]${'[b]'.repeat(48)}[${index}k]=1`,
  ),
  names('many unknown names with brackets', '/plain/1?', 10, (index) => `b[${index}k]=1`),
  ...['1,', 'x,', ',', ', ', ' '].map((text) => header('x-list', text)),
  ...['a=b; ', ';', '=', 'session=1; ', '%41', 'session=%zz; ', ' '].map((text) => header('cookie', text)),
];

const json = (what: string, make: (size: number) => string): RequestCase =>
  body(`JSON: ${what}`, 'application/json', make);

const body = (what: string, type: string, make: (size: number) => string): RequestCase => ({
  what,
  largest: bodyBytes,
  make: (size) => ({ url: '/bodies', headers: { 'content-type': type }, body: make(size) }),
});

/** Returns numbers whose hashes in V8 end with the same 13 bits. */
function sameHash(count: number): number[] {
  const found: number[] = [];
  for (let number = 0; found.length < count; number += 1) {
    let hash = ~number + (number << 15);
    hash ^= hash >>> 12;
    hash += hash << 2;
    hash ^= hash >>> 4;
    hash = Math.imul(hash, 2_057);
    hash ^= hash >>> 16;
    if ((hash & 0x1f_ff) === 0) found.push(number);
  }
  return found;
}

const contentType = (type: string, text: string, content: string): RequestCase => ({
  what: `a Content-Type ${type} filled with ${text}`,
  largest: headerBytes,
  make: (size) => ({
    url: '/bodies',
    headers: { 'content-type': type + fill(size, text) },
    body: content,
  }),
});

const form = (text: string): RequestCase =>
  body(`a form filled with ${text}`, 'application/x-www-form-urlencoded', (size) => fill(size, text));

const disposition = 'Content-Disposition: form-data; name=';
const part = (name: string, more = ''): string => `--b\r\n${disposition}"${name}"${more}\r\n\r\n1\r\n`;

/** Size of each part if the largest form has about 4,900, so that the parser does not reject it. */
const partBelowLimit = bodyBytes / 4_900;
const longPart = (name: string): string => part(name).replace('1\r\n', `${'1'.repeat(140)}\r\n`);

const multipart = (what: string, make: (size: number) => string, boundary = 'b'): RequestCase =>
  body(
    `a multipart form with ${what}`,
    `multipart/form-data; boundary=${boundary}`,
    (size) => `${make(size)}--${boundary}--\r\n`,
  );

const longBoundary = 'a'.repeat(8_000);

export const bodyCases: RequestCase[] = [
  json('nested lists', (size) => `{"numbers":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`),
  json('unclosed lists', (size) => fill(size, '[')),
  json('unclosed objects', (size) => fill(size, '{"a":')),
  json('a list of numbers', (size) => `{"numbers":[${fill(size, '1,')}1]}`),
  {
    ...json('different numbers with one hash', (size) => `{"unique":[${sameHash(size / 10)}]}`),
    largest: 131_072,
  },
  json('a list of wrong values', (size) => `{"numbers":[${fill(size, '"",')}1]}`),
  json('a list of objects with unknown properties', (size) => `{"closed":[${fill(size, '{"a":1},')}{}]}`),
  json('one repeated name', (size) => `{${fill(size, '"a":1,')}"a":1}`),
  json('one repeated known name', (size) => `{${fill(size, '"name":"a",')}"name":"a"}`),
  json('many names', (size) => `{${numbered(size, 9, (index) => `"${index}":1`, ',')}}`),
  json('many names in an object', (size) => `{"a":{${numbered(size, 9, (index) => `"${index}":1`, ',')}}}`),
  json(
    '1,900 violations below a long name',
    (size) =>
      `{"${fill(size / 2, 'n')}":{${numbered(Math.min(size / 2, 1_900 * 11), 11, (index) => `"k${index}":""`, ',')}}}`,
  ),
  json(
    'violations below a name to escape',
    (size) =>
      `{"${fill(size / 2, '~/')}":{${numbered(Math.min(size / 2, 1_900 * 11), 11, (index) => `"k${index}":""`, ',')}}}`,
  ),
  json(
    'long names with violations',
    (size) =>
      `{"a":{${numbered(size, size / 100, (index) => `"${index}${fill(size / 110, 'n')}":""`, ',')}}}`,
  ),
  json('NUL in many texts', (size) => `{"closed":[${fill(size, '"\\u0000",')}""]}`),
  json('NUL in many names', (size) => `{${numbered(size, 18, (index) => `"\\u0000${index}":{}`, ',')}}`),
  json(
    'NUL in many names below a long name',
    (size) =>
      `{"${fill(size / 2, 'n')}":{${numbered(size / 2, 18, (index) => `"\\u0000${index}":{}`, ',')}}}`,
  ),
  json('NUL below a long name', (size) => `{"${fill(size / 2, 'n')}":[${fill(size / 2, '"\\u0000",')}""]}`),
  {
    ...json(
      'branches that do not match, and a violation, below a long name',
      (size) => `{"nested":{"${fill(size / 2, 'n')}":[${fill(size / 2, '{"a":{"kind":"z"}},')}""]}}`,
    ),
    // With the default limit, the test of a quadratic cost would take minutes.
    largest: 196_608,
  },
  json('escapes', (size) => `{"name":"${fill(size, '\\u0041')}"}`),
  json('an unclosed text', (size) => `{"name":"${fill(size, '\\"')}`),
  json('white space', (size) => fill(size, ' ')),
  json('digits', (size) => fill(size, '1')),
  ...['a', '.', 'a.', '@', 'a@', '-', '1', ' ', ':', '%41'].flatMap((text) =>
    ['name', 'mail', 'time', 'address'].map((name) =>
      json(`${name} filled with ${text}`, (size) => `{"${name}":"a:${fill(size, text)}"}`),
    ),
  ),
  ...['a&', 'a=1&', 'a=x&', 'b=1&', '&', '=', '%41', '%', '+', '[', 'a[]=1&'].map(form),
  ...[['many names', (index: number) => `n${index}`] as const, ['one name', () => 'a'] as const].map(
    ([what, nameOf]) =>
      body(`a form with ${what} below its limit`, 'application/x-www-form-urlencoded', (size) =>
        numbered(size, partBelowLimit, (index) => `${nameOf(index)}=${'1'.repeat(200)}`, '&'),
      ),
  ),
  multipart('one name in many parts', (size) => fill(size, part('a'))),
  multipart('many files', (size) => fill(size, part('file', '; filename="f"'))),
  multipart('many names', (size) => numbered(size, 70, (index) => part(`n${index}`))),
  multipart('parts below their limit', (size) =>
    numbered(size, partBelowLimit, (index) => longPart(`n${index}`)),
  ),
  multipart('parts of one name below their limit', (size) =>
    numbered(size, partBelowLimit, () => longPart('a')),
  ),
  multipart('empty parts', (size) => fill(size, '--b\r\n\r\n')),
  multipart('many headers', (size) => `--b\r\n${disposition}"a"\r\n${fill(size, 'X: b\r\n')}\r\n1\r\n`),
  multipart('parts with many headers', (size) =>
    fill(size, `--b\r\n${disposition}"a"\r\n${'X: b\r\n'.repeat(1_500)}\r\n1\r\n`),
  ),
  multipart('many parameters', (size) => `--b\r\n${disposition}"a"${fill(size, '; x=y')}\r\n\r\n1\r\n`),
  ...['\\"', ';', '=', '"', '%41'].map((text) =>
    multipart(`parts with a parameter filled with ${text}`, (size) =>
      fill(size, `--b\r\n${disposition}"${text.repeat(30_000 / text.length)}\r\n\r\n1\r\n`),
    ),
  ),
  ...['\r\n', '\r\n-', '\r\n--', '--b', '\r\n--b ', 'a'].map((text) =>
    multipart(
      `a value filled with ${JSON.stringify(text)}`,
      (size) => `${part('a').slice(0, -2)}${fill(size, text)}\r\n`,
    ),
  ),
  ...['a', `\r\n--${longBoundary.slice(1)}b`, `\r\n-${longBoundary}`, `b${longBoundary}`].map((text) =>
    multipart(
      `a long boundary and values such as ${JSON.stringify(text.slice(0, 4))}`,
      (size) => `--${longBoundary}\r\n${disposition}"a"\r\n\r\n${fill(size, text)}\r\n`,
      longBoundary,
    ),
  ),
  body('text', 'text/plain', (size) => fill(size, 'a')),
  ...[';a=b', ';', '; ', ';charset=utf-8', '/', '='].map((text) =>
    contentType('application/json', text, '{}'),
  ),
  ...[';a=b', ';boundary=b', ';boundary="', ';a*0=b'].map((text) =>
    contentType('multipart/form-data', text, part('a')),
  ),
];
