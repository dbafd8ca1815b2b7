import { asJson, type FuzzGenerator, rawRequest } from '../generator.ts';

const body = '{"first_name":"Ada"}';

const lines = [
  ...[
    'Idempotency-Key: a',
    'Idempotency-Key: ',
    `Idempotency-Key: ${'k'.repeat(300)}`,
    'If-Match: "x"',
    'If-Match: *',
  ],
  ...[
    'Prefer: count=exact',
    'Prefer: ;;,,',
    'X-Request-Id: \u00e9',
    `X-Request-Id: ${'r'.repeat(200)}`,
    'Range: bytes=0-1',
  ],
  ...[
    'Content-Encoding: gzip',
    'Content-Encoding: identity',
    'Accept: nothing/at-all',
    'Accept-Encoding: *;q=0',
  ],
  ...[
    'Authorization: Bearer x',
    'Authorization: Basic eDp5',
    'Connection: upgrade',
    'Upgrade: websocket',
    'TE: trailers',
  ],
  ...[
    'X: \u0001',
    'X:\u00ff\u00fe',
    'X : y',
    ' X: y',
    'X',
    ': y',
    'X\u0000: y',
    `X: ${'x'.repeat(9_000)}`,
    `Cookie: ${'a=b; '.repeat(500)}`,
  ],
  ...[
    'Expect: 100-continue',
    'Expect: more',
    'Trailer: a',
    'Max-Forwards: 0',
    'X-Forwarded-For: 1.2.3.4, evil',
    'Forwarded: for=_',
  ],
  ...['X-HTTP-Method-Override: DELETE', 'Origin: null', 'Host: b', 'Host:'],
];

/** Headers that are repeated, huge or malformed, or that change the behavior of other servers. */
export const headerGenerator: FuzzGenerator = {
  name: 'headers',
  what: 'repeated, huge, malformed and misleading headers',
  attempt(prng, { token }) {
    const given = Array.from({ length: 1 + prng.below(4) }, () => prng.oneOf(lines));
    const isPost = prng.below(2) === 0;
    return {
      bytes: isPost
        ? rawRequest('POST /api/v1/contacts', { token, headers: [asJson, ...given], body })
        : rawRequest('GET /api/v1/contacts', { token, headers: given }),
      right: [200, 201, 400, 401, 404, 409, 412, 415, 417, 422, 431],
    };
  },
};
