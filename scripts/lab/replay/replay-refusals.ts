import { bodyFormatOf, parseMediaType } from '../../../server/contract/media-type.ts';
import type { StockValidator } from '../../../server/validation/second-validator/stock-middleware.ts';
import { StockRefusal } from '../../../server/validation/second-validator/stock-refusal.ts';
import { type RefusedRequest, uncheckedIn } from './unchecked.ts';

/** The verdicts of the stock middleware on requests that our validation has refused. */
interface Replay {
  /** Number of different requests. */
  replayed: number;
  /** Number of requests that the stock middleware accepts for each thing that it does not check. */
  explained: ReadonlyMap<string, number>;
  /** The requests that the stock middleware accepts, and that nothing explains. */
  unexplained: readonly RefusedRequest[];
}

/** Requests that a report describes, and characters of each URL and body. */
const [maxReported, maxShown] = [20, 300];

/** Sends each different request through the stock middleware once. @throws the middleware's error if its set-up is wrong */
export async function replayRefusals(
  requests: readonly RefusedRequest[],
  validate: StockValidator,
): Promise<Replay> {
  const different = new Map(requests.map((request) => [keyOf(request), request]));
  const explained = new Map<string, number>();
  const unexplained: RefusedRequest[] = [];
  for (const request of different.values()) {
    if (!(await isAcceptedBy(validate, request))) continue;
    const cause = uncheckedIn(request);
    if (cause) explained.set(cause.name, (explained.get(cause.name) ?? 0) + 1);
    else unexplained.push(request);
  }
  return { replayed: different.size, explained, unexplained };
}

/** The same for requests to one operation with the same violations: numbers, such as indexes, do not count. */
export const keyOf = ({ operation, headers, refusal: { status, fields, message } }: RefusedRequest): string =>
  [operation, status, status === 415 ? headers['content-type'] : '', fields, message]
    .join(' ')
    .replace(/\d+/g, '#');

/** Whether the stock middleware accepts a request. @throws the middleware's error if its set-up is wrong */
export async function isAcceptedBy(
  validate: StockValidator,
  { method, url, headers, body }: Pick<RefusedRequest, 'method' | 'url' | 'headers' | 'body'>,
): Promise<boolean> {
  // As express.json(), which the documentation of the middleware mounts in front of it.
  let parsed: unknown;
  if (body !== '' && bodyFormatOf(parseMediaType(headers['content-type'] ?? '') ?? '') === 'json')
    try {
      parsed = JSON.parse(body);
    } catch {
      return false;
    }
  try {
    await validate({ method, url, headers, rawHeaders: [] }, parsed);
    return true;
  } catch (error) {
    if (error instanceof StockRefusal && error.status < 500) return false;
    throw error;
  }
}

/** Returns a summary in one line, and a description of each request that nothing explains. */
export function formatReplay({ replayed, explained, unexplained }: Replay): {
  summary: string;
  problems: string;
} {
  const known = [...explained].map(([name, count]) => `${name} ${count}`).join(', ');
  if (unexplained.length === 0)
    return {
      summary: `express-openapi-validator refuses ${replayed} recorded ${replayed === 1 ? 'request' : 'requests'} as ours does, except for what it does not check (${known || 'nothing'}).`,
      problems: '',
    };
  const problems = unexplained
    .slice(0, maxReported)
    .flatMap(({ operation, method, url, body, refusal: { status, message } }) => [
      `  ${operation}: ours returns ${status}: ${message}`,
      `    ${method} ${url.slice(0, maxShown)} ${body.slice(0, maxShown)}`,
    ]);
  return {
    summary: `express-openapi-validator accepts ${unexplained.length} of ${replayed} recorded requests that ours refuses.`,
    problems: [
      ...problems,
      '  If ours is wrong, correct it. Otherwise add to scripts/lab/replay/unchecked.ts what express-openapi-validator does not check.',
    ].join('\n'),
  };
}
