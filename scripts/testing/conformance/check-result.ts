import type { OperationRule } from '../requests/operations.ts';

/** What is looked at; each is a name in the summary. */
export const conformanceChecks = {
  answered: 'an answer comes, in time',
  'no-server-error': 'nothing is answered with 500 or more',
  'status-documented': 'the status is one that the operation documents',
  'media-type': 'the answer has a media type that its status documents',
  headers: 'the documented headers are there, and fit their schemas',
  body: 'the body of the answer fits its schema',
  'accepts-sound': 'what fits the contract is not refused, but where a rule or stored data says so',
  'refuses-broken': 'what breaks the contract is refused, with the right status',
  'names-place': 'a refusal with code, message and fields names the broken place',
  'needs-token': 'without credentials the answer is 401',
  'refuses-method': 'a method that the path does not have is answered with 405',
  'found-after-creation': 'what was made can be read',
  'gone-after-deletion': 'what was deleted is gone',
} as const;

export type ConformanceCheck = keyof typeof conformanceChecks;

/** Something that is not as the contract has it. */
export interface Violation {
  check: ConformanceCheck;
  /** Without values and numbers of items: two complaints of one message are the same. */
  message: string;
  /** What was different this time. */
  detail?: string;
}

/** What came of an attempt: complaints, which checks were made, and how it ended. */
export interface CheckResult {
  violations: Violation[];
  made: ConformanceCheck[];
  outcome: 'accepted' | 'refused' | 'refused by a rule' | 'not found' | 'failed';
  /** The rule that explains a refusal. */
  rule: OperationRule | undefined;
}
