import type { Fault } from '../fault.ts';

/** What somebody gets wrong on the way of a request. */
export const pipelineFaults: readonly Fault[] = [
  {
    name: 'broken percent-encoding in the query is let through',
    where: 'pipeline',
    file: 'server/pipeline/parameters.ts',
    from: '    decodeURIComponent(url);',
    to: "    decodeURIComponent(url.split('?')[0] ?? '');",
  },
  {
    name: 'two different Idempotency-Key headers are taken for one key',
    where: 'pipeline',
    file: 'server/pipeline/parameters.ts',
    from: "new Set(['prefer', 'if-match'])",
    to: "new Set(['prefer', 'if-match', 'idempotency-key'])",
  },
  {
    name: 'strangers without a token learn which paths and methods there are',
    where: 'pipeline',
    file: 'server/pipeline/pipeline.ts',
    from: '(anySecured ? [{ any: [] }] : [])',
    to: '(anySecured ? [{}] : [])',
  },
  {
    name: 'refusals before the handler lose their headers, such as WWW-Authenticate, Retry-After and Allow',
    where: 'pipeline',
    file: 'server/pipeline/failure.ts',
    from: "headers: { ...supplied, ...why.headers, 'Content-Type': 'application/json' },",
    to: "headers: { ...supplied, 'Content-Type': 'application/json' },",
  },
  {
    name: 'unforeseen errors that end in 500 are not written to the log',
    where: 'pipeline',
    file: 'server/pipeline/failure.ts',
    from: 'if (why.status >= 500) fault(error);',
    to: 'if (why.status > 500) fault(error);',
  },
  {
    name: 'the bodies of answers with 201 go out unchecked',
    where: 'pipeline',
    file: 'server/pipeline/check-answer.ts',
    from: 'const findings = operation.judgeBody(status, mediaType, answer.body);',
    to: 'const findings = answer.status === 201 ? [] : operation.judgeBody(status, mediaType, answer.body);',
  },
  {
    name: 'a path with a slash too many at its end is answered',
    where: 'pipeline',
    file: 'server/pipeline/routes.ts',
    from: 'Router({ caseSensitive: true, strict: true })',
    to: 'Router({ caseSensitive: true })',
  },
  {
    name: 'a body whose charset is written in quotes or as utf8 is refused',
    where: 'pipeline',
    file: 'server/pipeline/media-type.ts',
    from: 'name === \'charset\' && !/^"?utf-?8"?$/.test(value)',
    to: "name === 'charset' && value !== 'utf-8'",
  },
];
