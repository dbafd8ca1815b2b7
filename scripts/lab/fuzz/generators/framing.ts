import { asJson, type FuzzGenerator, rawRequest } from '../generator.ts';

const body = '{"first_name":"Ada"}';
const head = (token: string, ...lines: string[]) =>
  [
    'POST /api/v1/contacts HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${token}`,
    asJson,
    ...lines,
    '',
    '',
  ].join('\r\n');

/** Conflicting and invalid lengths, valid and malformed chunks, and obsolete line folding. */
export const framingGenerator: FuzzGenerator = {
  name: 'framing',
  what: 'conflicting and invalid lengths, malformed chunks, obsolete folding',
  attempt(prng, { token }) {
    const size = body.length.toString(16);
    const chunked = `${size}\r\n${body}\r\n0\r\n\r\n`;
    const extension = 'a'.repeat(1 + prng.below(20));
    const [bytes, right] = prng.oneOf<[string, Array<number | 'none'>]>([
      [head(token, `Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`) + body, [400]],
      [head(token, `Content-Length: ${body.length}`, 'Transfer-Encoding: chunked') + chunked, [400]],
      [head(token, `Content-Length: ${body.length}, ${body.length}`) + body, [400]],
      [head(token, `Content-Length: -${1 + prng.below(99)}`) + body, [400]],
      [head(token, `Content-Length: 0x${size}`) + body, [400]],
      [head(token, `Content-Length: +${body.length}`) + body, [400]],
      [head(token, 'Transfer-Encoding: chunked, chunked') + chunked, [400, 415]],
      [head(token, 'Transfer-Encoding: gzip, chunked') + chunked, [400, 415]],
      [head(token, 'Transfer-Encoding: xchunked') + chunked, [400]],
      [head(token, 'Transfer-Encoding : chunked') + chunked, [400]],
      [head(token, 'Transfer-Encoding: chunked') + chunked, [201]],
      [`${head(token, 'Transfer-Encoding: chunked')}${size};${extension}=1\r\n${body}\r\n0\r\n\r\n`, [201]],
      [`${head(token, 'Transfer-Encoding: chunked')}-1\r\n${body}\r\n0\r\n\r\n`, [400]],
      [`${head(token, 'Transfer-Encoding: chunked')}${'f'.repeat(17)}\r\n${body}`, [400]],
      [`${head(token, 'Transfer-Encoding: chunked')}${size}\n${body}\n0\n\n`, [400]],
      [head(token, `Content-Length: ${2 ** 40}`), [413]],
      [head(token, 'Content-Length: 1e3') + body, [400]],
      [head(token, 'X: a\r\n folded', `Content-Length: ${body.length}`) + body, [201, 400]],
    ]);
    return { bytes, right };
  },
};

/** A valid request with some bytes replaced, removed or inserted. */
export const byteMutationGenerator: FuzzGenerator = {
  name: 'byte-mutations',
  what: 'valid requests with some bytes replaced, removed or inserted',
  attempt(prng, { token }) {
    const good = prng.oneOf([
      rawRequest('GET /api/v1/contacts?per_page=3', { token }),
      rawRequest('POST /api/v1/contacts', { token, headers: [asJson], body }),
      rawRequest('GET /api/v1/fields', { token }),
    ]);
    let bytes = good;
    for (let count = 1 + prng.below(3); count > 0; count -= 1) {
      const at = prng.below(bytes.length);
      const byte = String.fromCharCode(prng.below(256));
      const [left, right] = prng.oneOf([
        [bytes.slice(0, at) + byte, bytes.slice(at + 1)],
        [bytes.slice(0, at), bytes.slice(at + 1)],
        [bytes.slice(0, at) + byte, bytes.slice(at)],
      ]);
      bytes = `${left}${right}`;
    }
    // If the request becomes incomplete, the connection may be closed without a response (`none`).
    return {
      bytes,
      right: ['none', 200, 201, 400, 401, 404, 405, 408, 413, 415, 417, 422, 431],
    };
  },
};
