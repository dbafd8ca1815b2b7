import type { OperationRule } from '../../contract/model/operation.ts';

/** The checks of a response, with their descriptions in the summary. */
export const conformanceChecks = {
  responds: 'a response arrives in time',
  'no-server-error': 'no status of 500 or more',
  'status-documented': 'the operation documents the status',
  'media-type': 'the status documents the media type of the response',
  headers: 'documented headers are present and valid',
  body: 'the body of the response is valid',
  'accepts-valid': 'a valid request is not rejected, except by a documented rule or because of stored data',
  'rejects-invalid': 'an invalid request is rejected with the right status',
  'names-location': 'an error response with code, message and fields names the invalid location',
  'requires-auth':
    'a request without credentials gets 401, or 403 if only that is documented, and wrong ones are rejected',
  'rejects-method': 'a method that the path does not have gets 405',
  'found-after-creation': 'a created resource can be read',
  'keeps-creation': 'what a create was sent and has returned is read back',
  'keeps-update': 'what an update changed is read back, and nothing else has changed',
  'found-at-location': 'Location leads to the created resource',
  'ignores-read-only': 'a create takes over no read-only property of the request',
  'repeats-once': 'a create that is repeated with the same Idempotency-Key creates nothing more',
  'isolates-tenants': 'a resource of one tenant is not shown to another one',
  'changes-etag': 'the ETag changes with the resource',
  'rejects-old-etag': 'an update with an old ETag in If-Match is rejected',
  'keeps-limit': 'a page has at most as many items as the request allows',
  'pages-whole': 'the pages of a list have each item once, and end',
  'gone-after-deletion': 'a deleted resource is not found',
  'keeps-credentials': 'the credentials still work after the request',
} as const;

export type ConformanceCheck = keyof typeof conformanceChecks;

/** A difference between a response and the contract. */
export interface Violation {
  check: ConformanceCheck;
  /** Contains no values and no array indexes, so that equal violations have equal messages. */
  message: string;
  /** Details with the values of this test case. */
  detail?: string;
}

/** The result of a test case: its violations, the checks that ran, and the outcome. */
export interface CheckResult {
  violations: Violation[];
  made: ConformanceCheck[];
  outcome: 'accepted' | 'rejected' | 'rejected by a rule' | 'not found' | 'failed';
  /** The documented rules that explain why the request was rejected. */
  rules: OperationRule[];
}

/** Numbers of valid requests of an operation. */
export interface OutcomeCounts {
  sent: number;
  accepted: number;
  /** The different responses to the others. Equal ones have the same status, and bodies that differ in IDs only. */
  rejections: Rejection[];
}

export interface Rejection {
  status: number;
  count: number;
  /** The beginning of one body. */
  body: string;
}

/** Counts an accepted or rejected request of an operation. */
export function countOutcome(
  outcomes: Map<string, OutcomeCounts>,
  operation: string,
  rejection: Omit<Rejection, 'count'> | undefined,
): void {
  const counts = outcomes.get(operation) ?? { sent: 0, accepted: 0, rejections: [] };
  outcomes.set(operation, counts);
  counts.sent += 1;
  if (!rejection) {
    counts.accepted += 1;
    return;
  }
  const known = counts.rejections.find(
    ({ status, body }) => status === rejection.status && withoutIds(body) === withoutIds(rejection.body),
  );
  if (known) known.count += 1;
  else if (counts.rejections.length < maxRejections) counts.rejections.push({ ...rejection, count: 1 });
}

/** Maximum number of different rejections that are counted. */
const maxRejections = 5;

/** Returns a text without the parts that differ in each response. */
const withoutIds = (text: string): string => text.replaceAll(/\b[0-9a-f-]{8,}\b|\d+/gi, '');
