import { isCursorName } from '../../contract/mock/cursor-page.ts';
import type { OperationRule } from '../../contract/model/operation.ts';
import type { TestedOperation } from '../requests/operations.ts';
import type { HttpResponse } from '../requests/send.ts';
import type { TestCase } from '../requests/serialize.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { generalize, matchesTemplate } from '../schema-values/value-locations.ts';
import { checkResponse, codeIn, documentedResponse, locationsIn } from './check-response.ts';
import type { CheckResult, ConformanceCheck, Violation } from './check-result.ts';

/**
 * Checks a response against the contract. Also checks that a valid request is accepted and an invalid one is rejected.
 * @param context the response view of the contract
 */
export function checkCase(
  context: SchemaContext,
  { request, wrong }: TestCase,
  response: HttpResponse,
): CheckResult {
  const { operation } = request;
  const { status } = response;
  const outcome = status >= 500 ? 'failed' : status >= 400 ? 'rejected' : 'accepted';
  const made: ConformanceCheck[] = ['responds', 'no-server-error'];
  // An operation may document nothing but this error.
  const isExpected = String(status) in operation.responses && !documentsSuccess(operation);
  if (status >= 500 && !isExpected) {
    const violation: Violation = { check: 'no-server-error', message: `the service returned ${status}` };
    return { violations: [violation], made, outcome, rules: [] };
  }
  const checked = checkResponse(context, operation, response, wrong !== undefined);
  const result: CheckResult = { ...checked, made: [...made, ...checked.made], outcome, rules: [] };
  if (wrong && wrong.kind !== 'unknown') checkRejection(operation, wrong, response, result);
  if (!wrong && documentsSuccess(operation)) checkAcceptance(request, response, result);
  return result;
}

/**
 * Returns the documented statuses that are correct for an invalid request. If the list is empty, every 4xx status is
 * correct.
 */
function errorStatuses(
  { responses, path }: TestedOperation,
  wrong: NonNullable<TestCase['wrong']>,
): number[] {
  const documented = (status: number) => String(status) in responses;
  if (wrong.kind === 'mediaType') return documented(415) ? [415] : [];
  const preferred = wrong.kind === 'malformed' ? [400, 422] : [422, 400];
  const found = preferred.filter(documented).slice(0, 1);
  // An invalid ID may also be reported as not found.
  const notFound = wrong.field.startsWith('path/') && path.includes('{') && documented(404) ? [404] : [];
  // A missing body may be reported as an unsupported media type.
  const noType = wrong.keyword === 'required' && wrong.field === 'body' && documented(415) ? [415] : [];
  // A missing precondition has a status of its own (RFC 6585, section 3).
  const noPrecondition =
    wrong.keyword === 'required' && /^header\/if-/i.test(wrong.field) && documented(428) ? [428] : [];
  return found.length === 0 ? [] : [...found, ...notFound, ...noType, ...noPrecondition];
}

function checkRejection(
  operation: TestedOperation,
  wrong: NonNullable<TestCase['wrong']>,
  response: HttpResponse,
  { violations, made }: CheckResult,
): void {
  const wanted = errorStatuses(operation, wrong);
  // A service may look up the resource before it validates the rest.
  if (
    dependent.includes(response.status) &&
    operation.path.includes('{') &&
    documentedResponse(operation, response.status)
  )
    return;
  made.push('rejects-invalid');
  const isRight = wanted.length === 0 ? response.status >= 400 : wanted.includes(response.status);
  // HTTP servers reject long URLs and headers before the application sees them.
  if ([414, 431].includes(response.status) && !wrong.field.startsWith('body')) return;
  if (!isRight) {
    const right = wanted.length === 0 ? '4xx' : wanted.join(' or ');
    violations.push({
      check: 'rejects-invalid',
      message: `${wrong.keyword} of ${placeOf(wrong)} is violated: the service returned ${response.status} instead of ${right}`,
    });
    return;
  }
  const named = locationsIn(response);
  if (!named || [404, 415].includes(response.status) || wrong.kind !== 'broken') return;
  made.push('names-location');
  if (!named.some((location) => isPlace(location, wrong.field)))
    violations.push({
      check: 'names-location',
      message: `${placeOf(wrong)} violates ${wrong.keyword}, but the error response does not name it`,
      detail: `it names ${named.join(', ') || 'no location'} instead of ${wrong.field}`,
    });
}

/** Returns the location for messages, without names that were invented: they would make each request another finding. */
const placeOf = ({ keyword, field }: NonNullable<TestCase['wrong']>): string =>
  generalize(/^(additional|unevaluated)Properties$/.test(keyword) ? field.replace(/[^/]*$/, '*') : field);

/** Whether a location in an error response is the expected one. A location that ends with `…` was truncated. */
const isPlace = (named: string, meant: string): boolean =>
  named === meant || (named.endsWith('…') && meant.startsWith(named.slice(0, -1)));

/** Statuses that depend on stored data: 404, 409, 410 and 412. */
const dependent = [404, 409, 410, 412];

/** Whether the operation documents how it accepts a request. */
export const documentsSuccess = ({ responses }: TestedOperation): boolean =>
  Object.keys(responses).length === 0 || Object.keys(responses).some((key) => /^[123]|^default$/.test(key));

/** Statuses of a request with a cursor that the service has not issued. */
const unknownCursor = [400, 404, 410, 422];

function checkAcceptance(
  { operation, query }: TestCase['request'],
  response: HttpResponse,
  result: CheckResult,
): void {
  result.made.push('accepts-valid');
  const { status } = response;
  if (status < 400) return;
  const named = locationsIn(response);
  const code = codeIn(response);
  const own = operation.rules.filter((rule) => rule.code === undefined || rule.code === code);
  const isReason = (rule: OperationRule): boolean =>
    named ? isBusinessRule([rule], named) : isMentioned(rule, response.text);
  const reasons = own.filter(isReason);
  if (dependent.includes(status) && documentedResponse(operation, status)) {
    const isMissing = status === 404 || status === 410;
    result.outcome = isMissing ? 'not found' : 'rejected by a rule';
    // Such a response seldom names a location.
    if (!isMissing) result.rules = reasons.length > 0 ? reasons : own.filter(({ stored }) => stored);
    return;
  }
  // Several rules may be violated at the same time.
  if (named ? isBusinessRule(own, named) : reasons.length > 0) {
    result.outcome = 'rejected by a rule';
    result.rules = reasons;
    return;
  }
  const isUnknownCursor = unknownCursor.includes(status) && Object.keys(query).some(isCursorName);
  // An operation without security documents 401 or 403 if it checks credentials in its own input, as a login does.
  const isUnknownUser = [401, 403].includes(status) && operation.securitySchemes.length === 0;
  if ((isUnknownCursor || isUnknownUser) && documentedResponse(operation, status)) {
    result.outcome = 'rejected by a rule';
    return;
  }
  const where = named?.length ? `, naming ${[...new Set(named.map(generalize))].join(', ')}` : '';
  result.violations.push({
    check: 'accepts-valid',
    message: `a valid request is rejected with ${status}${where}`,
    ...(operation.rules.length > 0 ? { detail: unexplained } : {}),
  });
}

const unexplained = 'no rule under x-rules of the operation has a field that the error response names';

/**
 * Whether business rules explain an error response. Either each location in the response belongs to a rule, or the
 * response names no location and there is a rule without locations.
 */
const isBusinessRule = (rules: readonly OperationRule[], named: readonly string[]): boolean =>
  named.length === 0
    ? rules.some(({ fields }) => fields.length === 0)
    : named.every((location) =>
        rules.some(({ fields }) => fields.some((field) => matchesTemplate(location, field))),
      );

/** Whether an error response in a format of its own mentions a field of a rule, by its name as a word. */
function isMentioned({ fields }: OperationRule, text: string): boolean {
  const words = new Set(text.split(/[^\p{L}\p{N}_-]+/u));
  return (
    fields.length === 0 ||
    fields.some((field) => words.has(field.split('/').findLast((step) => step !== '*') ?? ''))
  );
}
