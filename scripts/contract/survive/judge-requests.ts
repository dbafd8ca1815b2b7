import type { ObservedRequest, Problem } from './observations.ts';

/** How often a client may repeat a request. */
const maxRepetitions = 10;

/** Clocks and timers may differ a little from each other. */
const toleranceMs = 100;

/** Decides whether the requests of a client after a response are right. @param baseline those without a scenario */
export function judgeRequests(
  baseline: readonly ObservedRequest[],
  requests: readonly ObservedRequest[],
): Problem[] {
  const known = new Set(baseline.filter(({ isValid }) => !isValid).map(({ key }) => key));
  const wrong = requests.find(({ isValid, key }) => !isValid && !known.has(key));
  const usual = Map.groupBy(baseline, ({ key }) => key);
  const repetitions = [...Map.groupBy(requests, ({ key }) => key)].flatMap(([key, all]) => {
    const before = usual.get(key)?.length ?? 0;
    // Several tests may send the same request.
    return all.length > Math.max(before, 1) ? [{ all, before }] : [];
  });
  const pairs = repetitions.flatMap(({ all, before }) =>
    all.slice(1).flatMap((request, index) => {
      const earlier = before <= 1 ? all.slice(0, index + 1) : precedingOf(requests, request);
      const previous = earlier.at(-1);
      return previous?.key === request.key ? [{ request, previous }] : [];
    }),
  );
  const early = pairs.find(({ request, previous }) => request.at < earliestAfter(previous));
  const unsafe = pairs.find(({ request, previous }) => !request.isRepeatable && mayHaveTakenEffect(previous));
  const endless = repetitions.find(({ all, before }) => all.length - before > maxRepetitions)?.all;
  const found: Problem[] = [];
  const add = (kind: Problem['kind'], message: string, request: ObservedRequest | undefined) =>
    found.push({ kind, message, request });
  if (wrong)
    add(
      'wrong request',
      `The client then sent a request that the contract does not allow: ${lineOf(wrong)}, ${wrong.status}.`,
      wrong,
    );
  if (early)
    add(
      'early retry',
      `The client repeated ${lineOf(early.request)} after ${Math.round(early.request.at - early.previous.at)} ms, although Retry-After said: ${early.previous.headers['retry-after']}.`,
      early.previous,
    );
  if (unsafe)
    add(
      'unsafe retry',
      `The client repeated ${lineOf(unsafe.request)} without an Idempotency-Key, although the first request may have taken effect.`,
      unsafe.previous,
    );
  if (endless)
    add('endless retries', `The client sent ${lineOf(endless[0])} ${endless.length} times.`, endless[0]);
  return found;
}

/** Returns the earlier requests of the same process: several tests may send the same request after each other. */
const precedingOf = (requests: readonly ObservedRequest[], request: ObservedRequest): ObservedRequest[] =>
  requests.slice(0, requests.indexOf(request)).filter(({ port }) => port === request.port);

const lineOf = (request: ObservedRequest | undefined): string => `${request?.method} ${request?.url}`;

/** Returns the time before which a request must not be repeated, in milliseconds since 1970. */
function earliestAfter({ at, status, headers }: ObservedRequest): number {
  const { 'retry-after': value } = headers;
  if (value === undefined || status < 300) return 0;
  const earliest = /^\d+$/.test(value) ? at + Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(earliest) ? 0 : earliest - toleranceMs;
}

/** Whether the service may have done what was requested: it failed while it worked, or its response did not arrive. */
const mayHaveTakenEffect = ({ status, body, sent }: ObservedRequest): boolean =>
  [500, 502, 504].includes(status) || (status < 300 && body === undefined && sent !== '');
