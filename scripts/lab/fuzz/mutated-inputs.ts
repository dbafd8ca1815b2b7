import { operations } from '../../../generated/operations.ts';
import type { Prng } from '../../lib/prng.ts';
import { asJson, type FuzzInput, type FuzzTarget, rawRequest } from './fuzz-service.ts';

const pieces =
  `% %2 %zz %00 %0a %2f %5c %c0%af %e2%82 %ff %ed%a0%80 %25 %2e%2e .. . // \\ ;a=b * ? ?? %u0041 ~ ' " [ {id} -1 0 1e3
9007199254740993 99999999999999999999 0x10 +1 1.0 \u00e9 \u00ff 1 contacts search`.split(/[ \n]/);

const headers = [
  ...`Idempotency-Key: a
Idempotency-Key:
If-Match: "x"
If-Match: *
Prefer: count=exact
Prefer: ;;,,
X-Request-Id: \u00e9
Range: bytes=0-1
Content-Encoding: gzip
Content-Encoding: identity
Accept: nothing/at-all
Accept-Encoding: *;q=0
Authorization: Bearer x
Authorization: Basic eDp5
Connection: upgrade
Upgrade: websocket
TE: trailers
X: \u0001
X:\u00ff\u00fe
X : y
 X: y
X
: y
X\u0000: y
Expect: 100-continue
Expect: more
Trailer: a
Max-Forwards: 0
X-Forwarded-For: 1.2.3.4, evil
Forwarded: for=_
X-HTTP-Method-Override: DELETE
Origin: null
Host: b
Host:`.split('\n'),
  `Idempotency-Key: ${'k'.repeat(300)}`,
  `X-Request-Id: ${'r'.repeat(200)}`,
  `X: ${'x'.repeat(9_000)}`,
  `Cookie: ${'a=b; '.repeat(500)}`,
];

/** The beginnings of paths, and of those of GET operations that return one resource, without the ID at the end. */
const starts = [
  ...['/api/', '/', '/docs/'],
  ...Object.values(operations).flatMap(({ method, path }) =>
    method === 'get' && path.endsWith('{id}') ? [path.slice(0, -'{id}'.length)] : [],
  ),
];

const statuses = [200, 201, 301, 400, 401, 404, 405, 409, 412, 413, 415, 417, 422, 431];

/**
 * Yields valid requests with other paths, with more headers, or with some bytes replaced, removed or inserted.
 * @param prng the same numbers yield the same requests
 */
export function* mutatedInputs({ token }: FuzzTarget, count: number, prng: Prng): Generator<FuzzInput> {
  const some = (values: readonly string[]) =>
    Array.from({ length: 1 + prng.below(4) }, () => prng.oneOf(values));
  const list = 'GET /api/v1/contacts?per_page=3';
  const create = (more: readonly string[] = []) =>
    rawRequest('POST /api/v1/contacts', { token, headers: [asJson, ...more], body: '{"first_name":"Ada"}' });
  const mutations: (() => FuzzInput)[] = [
    () => ({
      bytes: rawRequest(`GET ${prng.oneOf(starts)}${some(pieces).join(prng.oneOf(['', '/']))}`, { token }),
      right: statuses,
    }),
    () => ({
      bytes: prng.oneOf([create, (more: string[]) => rawRequest(list, { token, headers: more })])(
        some(headers),
      ),
      right: statuses,
    }),
    // If the request becomes incomplete, the connection may be closed without a response.
    () => ({
      bytes: withOtherBytes(prng.oneOf([create(), rawRequest(list, { token })]), prng),
      right: ['none', 408, ...statuses],
    }),
  ];
  for (let made = 0; made < count; made += 1) yield prng.oneOf(mutations)();
}

function withOtherBytes(bytes: string, prng: Prng): string {
  let changed = bytes;
  for (let left = 1 + prng.below(3); left > 0; left -= 1) {
    const at = prng.below(changed.length);
    const byte = prng.oneOf(['', String.fromCharCode(prng.below(256))]);
    // Without a new byte, at least one is removed.
    const removed = byte === '' ? 1 : prng.below(2);
    changed = changed.slice(0, at) + byte + changed.slice(at + removed);
  }
  return changed;
}
