import { isObject } from '../../../server/lib/json-object.ts';
import type { ScenarioInfo } from '../mock/mock-types.ts';
import { differenceIn, missingItemsIn } from './compare-values.ts';
import { judgeRequests } from './judge-requests.ts';
import {
  isErrorResponse,
  type Observations,
  type ObservedRequest,
  type Problem,
  type ProblemKind,
  problemKinds,
  type ReportedResult,
} from './observations.ts';

/**
 * Decides what a client did wrong in a scenario.
 * @param baseline what happened without a scenario
 */
export function judge(scenario: ScenarioInfo, baseline: Observations, run: Observations): Problem[] {
  const incomparable = new Set(
    baseline.results
      .filter((result) => judgeResult(scenario, baseline.requests, result).length > 0)
      .map((result) => shapeOf(baseline.requests, result)),
  );
  const fromResults = run.results
    .filter((result) => !incomparable.has(shapeOf(run.requests, result)))
    .flatMap((result) => judgeResult(scenario, run.requests, result));
  const isReported = run.results.length > 0;
  const all = [
    ...fromResults,
    ...judgeCommand(scenario, run, isReported),
    ...judgeRequests(baseline.requests, run.requests),
  ];
  // A reported exception also makes the command fail.
  const distinct = all.filter(
    ({ kind }, index) => kind !== 'exception' || all.findIndex((each) => each.kind === kind) === index,
  );
  return distinct.toSorted((a, b) => problemKinds.indexOf(a.kind) - problemKinds.indexOf(b.kind));
}

/** Tests may report values that are not those of a response. They are recognized by their operation and their shape. */
const shapeOf = (requests: readonly ObservedRequest[], { after, value }: ReportedResult): string => {
  const names = typeof value === 'object' && value !== null ? Object.keys(value).sort().join() : typeof value;
  return `${requests[after - 1]?.operation} ${names}`;
};

/** Compares what a client made of its last response with the response. */
function judgeResult(
  scenario: ScenarioInfo,
  requests: readonly ObservedRequest[],
  { after, value, error, isComplete }: ReportedResult,
): Problem[] {
  const request = requests[after - 1];
  if (!request) return [];
  const found = (kind: ProblemKind, message: string): Problem[] => [{ kind, message, request }];
  if (isErrorResponse(request) || (scenario.class === 'intermediary' && request.body === undefined)) {
    if (error)
      return reportsStatus(error, request)
        ? []
        : found(
            'lost status',
            `The error does not say that the status was ${request.status}: ${error.name}: ${error.message}`,
          );
    return isReportedError(value, request)
      ? []
      : found('wrong value', `The client took ${whatIs(request)} for data: ${shown(value)}`);
  }
  if (error)
    return found(
      'exception',
      `The client reported an error for a legal response: ${error.name}: ${error.message}`,
    );
  if (request.body === undefined) return [];
  if (isComplete) {
    const missing = missingItemsIn(value, itemsOf(scenario, requests.slice(0, after)));
    return missing === undefined
      ? []
      : found('wrong value', `The client stopped before the last page: ${missing}.`);
  }
  const expected = scenario.effect === 'nothing' ? request.usualBody : request.body;
  const difference = differenceIn(value, expected, request.usualBody);
  return difference === undefined
    ? []
    : found('wrong value', `The client returned another value: ${difference}.`);
}

const whatIs = ({ status, headers, body, sent }: ObservedRequest): string => {
  if (status >= 300) return `a response with the status ${status}`;
  if (/html/i.test(headers['content-type'] ?? '')) return 'a page in HTML';
  return body === undefined && sent !== '' ? 'a body that was cut' : 'a response without a body';
};

/** Whether a returned value says that it stands for an error, as clients without exceptions do. */
function isReportedError(value: unknown, { status, sent }: ObservedRequest): boolean {
  // A client may have no value for what does not exist, but not for what failed.
  if (value === undefined || value === null) return status >= 400 && status < 500;
  if (typeof value !== 'object' || JSON.stringify(value) === sent) return false;
  const entries = Object.entries(value);
  return entries.some(
    ([name, each]) =>
      (/^(error|errors|isError|problem)$/i.test(name) && Boolean(each)) ||
      (/^(ok|success)$/i.test(name) && each === false) ||
      (/^status(Code)?$/i.test(name) && each === status && status >= 300),
  );
}

/** Whether an error contains the status, or the code in the body of the response. */
function reportsStatus(
  error: NonNullable<ReportedResult['error']>,
  { status, sent }: ObservedRequest,
): boolean {
  if (status < 300) return true;
  const text = JSON.stringify(error);
  const code = /"code":\s*"?([\w.-]+)/.exec(sent)?.[1];
  return text.includes(String(status)) || (code !== undefined && text.includes(code));
}

/**
 * Returns the items that a client should have after it has requested all pages of a list.
 * @param requests those until the report
 */
function itemsOf({ name }: ScenarioInfo, requests: readonly ObservedRequest[]): unknown[] {
  const operation = requests.at(-1)?.operation;
  const pages = requests.filter((each) => each.operation === operation);
  // Small pages leave nothing out, so all items are on the first page of the usual responses.
  const bodies = ['small-pages', 'new-links'].includes(name) ? [pages[0]?.usualBody] : [pages.at(-1)?.body];
  return bodies.flatMap(listIn);
}

/** Returns the items of a list, which may be the only one in an object. */
function listIn(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  const lists = isObject(body) ? Object.values(body).filter((each) => Array.isArray(each)) : [];
  return lists.length === 1 ? lists.flat() : [];
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 120);

/** The words with which test runners say that a test took too long: Vitest, Jest, Mocha, `node:test`, pytest. */
const testTimedOut =
  /Test timed out in \d+|Exceeded timeout of \d+|Timeout of \d+ms exceeded|test timed out after \d+|Failed: Timeout >/i;

/** The words with which test runners and programs name a value that is not the expected one. */
const assertionFailed = /AssertionError|AssertionFailed|expect\(.*\)\.|ERR_ASSERTION|^E\s+assert /m;

/** Errors that programs have when a value is not what they are written for. */
const crashed =
  /^\s*(?:\S+\s)?(?:Uncaught )?(TypeError|RangeError|ReferenceError|SyntaxError|ZodError|ValidationError|KeyError|AttributeError|JSONDecodeError)\b.*$/m;

/**
 * Decides what the end of a test command says about a client. If a scenario changes values, tests that expect the usual
 * ones fail, and this says nothing about the client.
 * @param isReported whether tests reported their results by `survived`, which says more
 */
function judgeCommand(
  { effect, class: kind }: ScenarioInfo,
  { command: { exitCode, output, durationMs } }: Pick<Observations, 'command'>,
  isReported: boolean,
): Problem[] {
  if (exitCode === undefined)
    return [
      {
        kind: 'time-out',
        message: `The tests did not end within ${Math.round(durationMs / 1_000)} s, and were stopped.`,
      },
    ];
  if (exitCode === 0) return [];
  const late = testTimedOut.exec(output)?.[0];
  if (late !== undefined)
    return [{ kind: 'time-out', message: `A test waited until its own time-out: ${late}` }];
  const line = (crashed.exec(output)?.[0] ?? assertionFailed.exec(output)?.[0] ?? lastLine(output)).trim();
  const failed: Problem[] = [{ kind: 'exception', message: `The tests fail: ${line.slice(0, 300)}` }];
  if (effect === 'nothing') return failed;
  if (effect === 'error' || kind === 'intermediary' || isReported) return [];
  return assertionFailed.test(output) || !crashed.test(output) ? [] : failed;
}

const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? '';
