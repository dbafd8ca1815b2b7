import type { Mutant } from '../mutant.ts';

/** Bugs in the request pipeline, authentication and load shedding. */
export const pipelineMutants: readonly Mutant[] = [
  {
    name: 'the load shedder knows a token by its last six characters',
    killedBy:
      'test/server/http/overload.test.ts > counts a request against a company only while its whole token is known to be valid',
    declaration: 'createTokenCompanyCache',
    from: "hash('sha256', bearerToken(authorization) ?? '', 'base64')",
    to: "hash('sha256', authorization.slice(-6), 'base64')",
  },
  {
    name: 'the load shedder counts a revoked token against its company',
    killedBy:
      'test/server/http/overload.test.ts > counts a request against a company only while its whole token is known to be valid',
    declaration: 'createTokenCompanyCache',
    from: 'companies.delete(keyOf(authorization));',
    to: 'keyOf(authorization);',
  },
  {
    name: 'public pages are not shed',
    killedBy:
      'test/server/http/overload.test.ts > sheds contract and portal requests like unauthenticated requests, but never sheds probes',
    declaration: 'createApp',
    from: 'shed, answerPreflight,',
    to: 'pages, shed, answerPreflight,',
  },
  {
    name: 'failed authentications are counted by the text of X-Forwarded-For',
    killedBy:
      'test/server/auth/authenticate.test.ts > counts the failed attempts of a client together, regardless of how a trusted proxy writes its address',
    declaration: 'clientAddress',
    from: "parseAddress(proxyAddress(req, isTrustedProxy) ?? '') ?? peer",
    to: 'proxyAddress(req, isTrustedProxy) ?? peer',
  },
  {
    name: 'malformed percent-encoding in the query is accepted',
    killedBy:
      'test/server/pipeline/requests.test.ts > returns 400 for the malformed percent-encoding of /api/v1/contacts?page=%ZZ',
    declaration: 'isDecodable',
    from: 'decodeURIComponent(url)',
    to: "decodeURIComponent(url.split('?')[0] ?? '')",
  },
  {
    name: 'two Idempotency-Key headers count as one key',
    killedBy:
      'test/server/http/protocol.test.ts > rejects a request with "Transfer-Encoding: chunked\\r\\nIdempotency-Key: a\\r\\nIdempotency-Key: b"',
    declaration: 'repeatableHeaders',
    from: "new Set(['prefer', 'if-match',",
    to: "new Set(['idempotency-key', 'prefer', 'if-match',",
  },
  {
    name: 'requests without a token show which paths and methods exist',
    killedBy:
      'test/server/pipeline/requests.test.ts > checks the token before path, method, percent-encoding and body',
    declaration: 'acceptRequest',
    from: '(anySecured ? [{ any: [] }] : [])',
    to: '(anySecured ? [{}] : [])',
  },
  {
    name: 'error responses before the handler lose headers such as WWW-Authenticate, Retry-After and Allow',
    killedBy:
      'test/server/pipeline/requests.test.ts > checks the token before path, method, percent-encoding and body',
    declaration: 'format',
    from: "headers: { ...supplied, ...headers, 'Content-Type': mediaType },",
    to: "headers: { ...supplied, 'Content-Type': mediaType },",
  },
  {
    name: 'internal errors are not logged',
    killedBy:
      'test/server/pipeline/responses.test.ts > withholds a response with a status that is not documented: the client gets 50002, and one error is reported',
    declaration: 'toErrorResponse',
    from: 'if (response.status >= 500 &&',
    to: 'if (response.status > 500 &&',
  },
  {
    name: 'bodies of 201 responses are not validated',
    killedBy:
      'test/server/pipeline/responses.test.ts > accepts a valid body for createContact with 201, and rejects invalid bodies',
    declaration: 'validateBody',
    from: 'const findings = operation.validateBody(status, mediaType, response.body);',
    to: 'const findings = response.status === 201 ? [] : operation.validateBody(status, mediaType, response.body);',
  },
  {
    name: 'a path with a trailing slash is accepted',
    killedBy: 'test/server/pipeline/requests.test.ts > returns 404 for /api/v1/contacts/',
    declaration: 'createPathTree',
    from: "parameters.includes('') ? undefined : { value, parameters }",
    to: '{ value, parameters }',
  },
  {
    name: 'a charset in quotes, or written as utf8, is rejected',
    killedBy:
      'test/server/pipeline/requests.test.ts > a request body with Content-Type "APPLICATION/JSON; Charset="UTF-8"" returns 201',
    declaration: 'parseMediaType',
    from: 'name === \'charset\' && !/^"?utf-?8"?$/.test(value)',
    to: "name === 'charset' && value !== 'utf-8'",
  },
];
