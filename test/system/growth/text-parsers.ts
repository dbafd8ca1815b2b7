import express from 'express';
import { verifyWebhook } from '../../../client/webhooks.ts';
import { plainText } from '../../../scripts/contract/docs/markdown.ts';
import { diagnoseSizes } from '../../../scripts/contract/load/diagnose-sizes.ts';
import { repairPattern } from '../../../scripts/contract/load/schema-rules.ts';
import { byQuality } from '../../../scripts/contract/mock/negotiate.ts';
import { parsePrefer, preferencesIn, waitSecondsIn } from '../../../scripts/contract/mock/prefer.ts';
import { readRequestId } from '../../../server/contract/request-id.ts';
import { matchesEntityTag } from '../../../server/features/contacts/rules.ts';
import { parseSearchQuery, searchTextOf } from '../../../server/features/contacts/search-text.ts';
import { canonicalValue } from '../../../server/features/fields/canonical-value.ts';
import { readLines } from '../../../server/features/import/ndjson-reader.ts';
import { parseRecord } from '../../../server/features/import/record.ts';
import { clientAddress } from '../../../server/http/client-address.ts';
import { toOriginForm } from '../../../server/http/server.ts';
import { bearerToken } from '../../../server/lib/bearer-token.ts';
import { traceIdOf } from '../../../server/lib/trace-context.ts';
import { prefersTotalCount } from '../../../server/own-contract/pagination.ts';
import { isTokenShaped } from '../../../server/security/auth/token-format.ts';
import { checkUrl } from '../../../server/security/egress/url-check.ts';

interface TextCase {
  parser: string;
  what: string;
  /** Length of the largest text. */
  largest: number;
  make: (size: number) => string;
  parse: (text: string) => unknown;
}

/** Node's limit on the headers of a request. */
const headerBytes = 16_384;

/**
 * Returns one case per text with which the input is filled.
 * @param starts valid beginnings of the input
 */
const cases = (
  parser: string,
  parse: (text: string) => unknown,
  texts: readonly string[],
  starts: readonly string[] = [''],
  largest = headerBytes,
): TextCase[] =>
  starts.flatMap((start) =>
    texts.map((text) => {
      // Patterns search on for another match if the end is wrong.
      const end = largest > headerBytes ? '' : 'é';
      return {
        parser,
        what: `${JSON.stringify(start)} and many ${JSON.stringify(text)}`,
        largest,
        make: (size: number) => start + text.repeat(Math.max(1, Math.floor(size / text.length))) + end,
        parse: quietly(parse),
      };
    }),
  );

/** Ignores that an input is rejected. */
const quietly = (parse: (text: string) => unknown) => async (text: string) => {
  try {
    await parse(text);
  } catch {
    // Only the cost counts.
  }
};

const quoted = [...String.raw`" "a" \" "\ , a a, a="b", a=b;c=d, = ;`.split(' '), ', ', ' ', 'W/"a", '];
const addressOf = clientAddress(['10.0.0.0/8', '127.0.0.1']);
const request = (headers: object) =>
  Object.assign(Object.create(express.request), { headers, socket: { remoteAddress: '127.0.0.1' } });
const policy = { allowedNetworks: ['http:0.0.0.0/0'] };

const readPrefer = (text: string) => [parsePrefer(text), waitSecondsIn(text)];

function verifySignature(text: string) {
  const headers = { 'webhook-id': 'a', 'webhook-timestamp': '0', 'webhook-signature': text };
  return verifyWebhook({ headers, url: '/', body: '{}' }, { secret: `whsec_${'A'.repeat(32)}`, now: 0 });
}

async function readAll(text: string): Promise<void> {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  for await (const lines of readLines(chunks()))
    for (const { text: line } of lines) if (line !== undefined) parseRecord(line);
}

const large = 1_048_000;
/** A quadratic normalization takes 0.1 to 1 s for this size, so that its test fails within seconds, not minutes. */
const ofMarks = 65_536;
const marks = [
  ...['\u0301\u0323', '\u0301', '\uff9e\u0301', '\u0344\u0323', '\u0e33\u0301', 'e\u0301'],
  ...['\u1100\u1161', '가', '\ufdfa', 'ß', '\u200b', '\u{16d67}'],
];
const words = [' ', '1 ', '(', '1(', '- ', '1-', 'a ', 'a1 ', '+', '\t'];
const searched = [...marks, ...words];

export const textCases: TextCase[] = [
  ...cases('text of Markdown', plainText, ['[', '[](', '`-'], [''], 65_536),
  ...cases(
    'Authorization',
    (text) => isTokenShaped(bearerToken(text) ?? ''),
    [' ', 'a', '=', 'a ', '~', 'Bearer '],
    ['Bearer', 'Bearer ', 'bearer a'],
  ),
  ...cases('X-Request-Id', readRequestId, ['a', '-', ' ']),
  ...cases(
    'the request target',
    toOriginForm,
    ['/', 'a', '%41', '%', '@', ':', '.', 'a.', '?', '[', 'xn--a.', '%C3%A4', '\\'],
    ['', '/', 'http://', 'http://a/', 'HTTP://xn--'],
  ),
  ...cases('Prefer', prefersTotalCount, quoted, ['', 'count=exact,', 'count="', 'count = ']),
  ...cases('Prefer of the mock', readPrefer, quoted, ['', 'code=', 'wait="']),
  ...cases('the preferences of the mock', preferencesIn, quoted),
  ...cases(
    'Accept',
    (text) => byQuality(text, ['text/html', 'application/json']),
    ['a/b,', 'a/*;q=1,', ',', ';', ';q=0.1', ' ', '*/*,', 'q=1.1.1;'],
    ['', 'application/json'],
  ),
  ...cases(
    'patterns of schemas',
    (pattern) => [
      repairPattern(pattern),
      repairPattern(`${pattern}]`),
      diagnoseSizes({ openapi: '3.1.1', components: { schemas: { A: { pattern } } } }),
    ],
    ['(['],
    ['[', '{'],
    131_072,
  ),
  ...cases('If-Match', (text) => matchesEntityTag(text, '"abc"'), quoted),
  ...cases('X-Forwarded-For', (text) => addressOf(request({ 'x-forwarded-for': text })), [
    ...['10.0.0.1,', '10.0.0.1, ', '::ffff:10.0.0.1,', '[::ffff:10.0.0.1]:80,'],
    ...[',', ' ', '[', ']:1', '%', ':', '1'],
  ]),
  ...cases(
    'Traceparent',
    traceIdOf,
    ['0', '-', 'a', ' '],
    ['', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-'],
  ),
  ...cases(
    'the URL of a webhook',
    (text) => checkUrl(text, policy),
    ['.', '.a', '@', '/', '%41', 'ä', ':', '#', 'xn--'],
    ['https://', 'https://a', 'https://a/'],
    2_048,
  ),
  ...cases('a search query', parseSearchQuery, searched, ['', '1', 'a']),
  ...cases('a search text', (text) => searchTextOf([text]), words, [''], large),
  ...cases('a search text', (text) => searchTextOf([text]), marks, [''], ofMarks),
  ...cases('a text value', (text) => canonicalValue('text', text), marks, [''], ofMarks),
  ...(['short_text', 'numbers', 'phone', 'email', 'currency', 'date'] as const).flatMap((type) =>
    cases(
      `a value of the type ${type}`,
      (text) => canonicalValue(type, text),
      ['0', '1', '.', ' ', '(0)', '0.0', 'a@', '-'],
      [''],
      large,
    ),
  ),
  ...cases(
    'an import',
    readAll,
    ['\n', '{}\n', '{"kind":"contact","key":"a"}\n', '[', '{"a":', ' ', '{"kind":"contact","x":1}\n'],
    ['', '{"kind":"contact","key":"a","fields":'],
    large,
  ),
  ...cases('the signature of a webhook request', verifySignature, ['v1,', 'v1,AAAA ', ' ', ', ', ',']),
];
