import { isExplained } from '../requests/business-rules.ts';
import type { Operation } from '../requests/operations.ts';
import type { Answer } from '../requests/send.ts';
import type { Attempt } from '../requests/test-case.ts';
import { general } from '../schema-values/location.ts';
import type { World } from '../schema-values/schema-context.ts';
import { judgeAnswer, responseOf } from './check-response.ts';
import type { Verdict } from './check-result.ts';
import { codeIn, placesIn } from './error-body.ts';

/**
 * Holds an answer against the contract, and against what was known of the request.
 * @param world of the document as it speaks of answers
 */
export function judge(world: World, { request, wrong }: Attempt, answer: Answer): Verdict {
  const { operation } = request;
  const { status } = answer;
  const outcome = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'accepted';
  const verdict: Verdict = {
    complaints: [],
    made: ['answered', 'no-server-error'],
    outcome,
    rule: undefined,
  };
  if (status >= 500) {
    verdict.complaints.push({ check: 'no-server-error', message: `it is answered with ${status}` });
    return verdict;
  }
  judgeAnswer(world, operation, answer, verdict);
  if (wrong && wrong.kind !== 'unknown') judgeRefusal(operation, wrong, answer, verdict);
  if (!wrong) judgeAcceptance(operation, answer, verdict);
  return verdict;
}

/** The statuses that say no to what is wrong in this way, of those that the operation documents; none: any from 400 on. */
export function refusalStatuses(
  { responses, path }: Operation,
  wrong: NonNullable<Attempt['wrong']>,
): number[] {
  const documented = (status: number) => String(status) in responses;
  if (wrong.kind === 'mediaType') return documented(415) ? [415] : [];
  const preferred = wrong.kind === 'malformed' ? [400, 422] : [422, 400];
  const found = preferred.filter(documented).slice(0, 1);
  // Of a name that cannot be one, it is as true that nothing has it.
  const notFound = wrong.field.startsWith('path/') && path.includes('{') && documented(404) ? [404] : [];
  // Where no body came, it came as nothing, which is no media type of the operation either.
  const noType = wrong.keyword === 'required' && wrong.field === 'body' && documented(415) ? [415] : [];
  return found.length === 0 ? [] : [...found, ...notFound, ...noType];
}

function judgeRefusal(
  operation: Operation,
  wrong: NonNullable<Attempt['wrong']>,
  answer: Answer,
  { complaints, made }: Verdict,
): void {
  const wanted = refusalStatuses(operation, wrong);
  // Whoever looks first whether there is such a thing has not been told yet what is wrong with the rest.
  if (
    dependent.includes(answer.status) &&
    operation.path.includes('{') &&
    responseOf(operation, answer.status)
  )
    return;
  made.push('refuses-broken');
  const isRight = wanted.length === 0 ? answer.status >= 400 : wanted.includes(answer.status);
  if (!isRight) {
    const right = wanted.length === 0 ? '4xx' : wanted.join(' or ');
    complaints.push({
      check: 'refuses-broken',
      message: `${wrong.keyword} of ${general(wrong.field)} is broken: ${answer.status} came, and not ${right}`,
    });
    return;
  }
  const named = placesIn(answer);
  if (!named || [404, 415].includes(answer.status) || wrong.kind !== 'broken') return;
  made.push('names-place');
  if (!named.some((place) => isPlace(place, wrong.field)))
    complaints.push({
      check: 'names-place',
      message: `${general(wrong.field)} breaks ${wrong.keyword}, and the refusal does not name it`,
      detail: `it names ${named.join(', ') || 'no place'}, and not ${wrong.field}`,
    });
}

/** Whether a named place is the one that is meant; long ones are cut. */
const isPlace = (named: string, meant: string): boolean =>
  named === meant || (named.endsWith('…') && meant.startsWith(named.slice(0, -1)));

/** Statuses that depend on what is stored: it is not there, another one is, it has changed. */
const dependent = [404, 409, 410, 412];

function judgeAcceptance(operation: Operation, answer: Answer, verdict: Verdict): void {
  verdict.made.push('accepts-sound');
  const { status } = answer;
  if (status < 400) return;
  if (dependent.includes(status) && responseOf(operation, status)) {
    verdict.outcome = status === 404 || status === 410 ? 'not found' : 'refused by a rule';
    return;
  }
  const named = placesIn(answer);
  const code = codeIn(answer);
  const own = operation.rules.filter((rule) => rule.code === undefined || rule.code === code);
  // Several rules may be broken at once.
  if (named && isExplained(own, named)) {
    verdict.outcome = 'refused by a rule';
    verdict.rule = own.find((rule) => isExplained([rule], named));
    return;
  }
  const where = named?.length ? `, naming ${[...new Set(named.map(general))].join(', ')}` : '';
  verdict.complaints.push({
    check: 'accepts-sound',
    message: `what fits the contract is refused with ${status}${where}`,
  });
}
