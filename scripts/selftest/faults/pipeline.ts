import type { Fault } from '../fault.ts';

/** What somebody gets wrong on the way of a request. */
export const pipelineFaults: readonly Fault[] = [
  {
    name: 'broken percent-encoding in the query is let through',
    by: 'test/pipeline/requests.test.ts > the percent-encoding of /api/v1/contacts?page=%ZZ is malformed',
    where: 'pipeline',
    file: 'server/pipeline/parameters.ts',
    from: '    decodeURIComponent(url);',
    to: "    decodeURIComponent(url.split('?')[0] ?? '');",
  },
  {
    name: 'two different Idempotency-Key headers are taken for one key',
    by: 'test/pipeline/protocol.test.ts > a request with "Transfer-Encoding: chunked\\r\\nIdempotency-Key: a\\r\\nIdempotency-Key: b" is refused',
    where: 'pipeline',
    file: 'server/pipeline/parameters.ts',
    from: "new Set(['prefer', 'if-match',",
    to: "new Set(['idempotency-key', 'prefer', 'if-match',",
  },
  {
    name: 'strangers without a token learn which paths and methods there are',
    by: 'test/pipeline/requests.test.ts > the token is judged before the path, the method, the percent-encoding and the body',
    where: 'pipeline',
    file: 'server/pipeline/pipeline.ts',
    from: '(anySecured ? [{ any: [] }] : [])',
    to: '(anySecured ? [{}] : [])',
  },
  {
    name: 'refusals before the handler lose their headers, such as WWW-Authenticate, Retry-After and Allow',
    by: 'test/pipeline/requests.test.ts > the token is judged before the path, the method, the percent-encoding and the body',
    where: 'pipeline',
    file: 'server/pipeline/failure.ts',
    from: "headers: { ...supplied, ...why.headers, 'Content-Type': 'application/json' },",
    to: "headers: { ...supplied, 'Content-Type': 'application/json' },",
  },
  {
    name: 'unforeseen errors that end in 500 are not written to the log',
    by: 'test/pipeline/answers.test.ts > a status that is not documented is held back: the caller gets 50002, the log the reason',
    where: 'pipeline',
    file: 'server/pipeline/failure.ts',
    from: 'if (why.status >= 500 && !(error instanceof Refused)) fault(error);',
    to: 'if (why.status > 500 && !(error instanceof Refused)) fault(error);',
  },
  {
    name: 'the bodies of answers with 201 go out unchecked',
    by: 'test/pipeline/answers.test.ts > a body of createContact with 201 goes out if it fits, and not if it does not',
    where: 'pipeline',
    file: 'server/pipeline/check-answer.ts',
    from: 'const findings = operation.judgeBody(status, mediaType, answer.body);',
    to: 'const findings = answer.status === 201 ? [] : operation.judgeBody(status, mediaType, answer.body);',
  },
  {
    name: 'a path with a slash too many at its end is answered',
    by: 'test/pipeline/requests.test.ts > there is nothing at /api/v1/contacts/',
    where: 'pipeline',
    file: 'server/pipeline/path-tree.ts',
    from: "if (found || segment === '') return found;",
    to: 'if (found) return found;',
  },
  {
    name: 'a body whose charset is written in quotes or as utf8 is refused',
    by: 'test/pipeline/requests.test.ts > a body sent as "APPLICATION/JSON; Charset="UTF-8"" is answered with 201',
    where: 'pipeline',
    file: 'server/pipeline/media-type.ts',
    from: 'name === \'charset\' && !/^"?utf-?8"?$/.test(value)',
    to: "name === 'charset' && value !== 'utf-8'",
  },
];
