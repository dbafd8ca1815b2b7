import { documentedType, isJson, mediaTypeIn } from '../../server/pipeline/media-type.ts';
import type { Schema } from '../instances/schema.ts';
import type { World } from '../instances/world.ts';
import type { Attempt } from '../requests/attempt.ts';
import type { Operation, Response, Rule } from '../requests/operations.ts';
import type { Answer } from '../requests/send.ts';

/** What is looked at; each is a name in the summary. */
export const checks = {
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

export type Check = keyof typeof checks;

/** Something that is not as the contract has it. */
export interface Complaint {
  check: Check;
  /** Without values and numbers of items: two complaints of one message are the same. */
  message: string;
  /** What was different this time. */
  detail?: string;
}

/** What came of an attempt: complaints, which checks were made, and how it ended. */
export interface Verdict {
  complaints: Complaint[];
  made: Check[];
  outcome: 'accepted' | 'refused' | 'refused by a rule' | 'not found' | 'failed';
  /** The rule that explains a refusal. */
  rule: Rule | undefined;
}

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

function responseOf({ responses }: Operation, status: number): Response | undefined {
  return responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
}

/** A header as a plain value, as a list, or as names and values (style `simple`). */
function fitsHeader(world: World, schema: Schema, text: string): boolean {
  const items = text.split(',').map((item) => item.trim());
  const pairs = items.map((item) => item.split('='));
  const flat = Object.fromEntries(
    items.flatMap((name, place) => (place % 2 === 0 ? [[name, items[place + 1]]] : [])),
  );
  return [text, items, Object.fromEntries(pairs), flat].some((value) => world.acceptsText(schema, value));
}

/** Status, media type, headers and body are what the operation documents. */
export function judgeAnswer(
  world: World,
  operation: Operation,
  answer: Answer,
  { complaints, made }: Verdict,
): void {
  const complain = (check: Check, message: string, detail?: string) =>
    complaints.push({ check, message, ...(detail === undefined ? {} : { detail }) });
  const response = responseOf(operation, answer.status);
  made.push('status-documented');
  if (!response) {
    const documented = Object.keys(operation.responses).join(', ');
    complain('status-documented', `${answer.status} is not documented: there are ${documented || 'none'}`);
    return;
  }
  made.push('headers', 'media-type');
  for (const { name, required, schema } of response.headers) {
    // OpenAPI gives its schema to `content`, not to this.
    if (name.toLowerCase() === 'content-type') continue;
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined && required) complain('headers', `${answer.status} has no header ${name}`);
    if (value !== undefined && !fitsHeader(world, schema, value))
      complain(
        'headers',
        `the header ${name} of ${answer.status} does not fit its schema: ${value.slice(0, 100)}`,
      );
  }
  // The answer to HEAD has the headers of a body, and none.
  if (operation.method !== 'HEAD') judgeBody(world, response, answer, { made, complain });
}

function judgeBody(
  world: World,
  { types }: Response,
  { status, headers, text }: Answer,
  { made, complain }: { made: Check[]; complain: (check: Check, message: string) => void },
): void {
  const sent = headers['content-type'] ?? '';
  const names = types.map(({ mediaType }) => mediaType);
  const type = documentedType(names, mediaTypeIn(sent) ?? '');
  const documented = types.find(({ mediaType }) => mediaType === type);
  if (names.length === 0 && text !== '') complain('media-type', `${status} documents no body, and has one`);
  if (names.length > 0 && !documented)
    complain('media-type', `${status} comes as ${sent || 'nothing'}, documented: ${names.join(', ')}`);
  if (!documented || !isJson(mediaTypeIn(sent) ?? '')) return;
  made.push('body');
  const wrong = whatIsWrong(world, documented.schema, text);
  if (wrong !== undefined) complain('body', `the body of ${status} ${wrong}`);
}

function whatIsWrong(world: World, schema: Schema, text: string): string | undefined {
  const body = parsed(text);
  if (!body) return 'is no JSON';
  const faults = world.faultsOf(schema, body.value);
  const named = new Set(
    faults.map(({ keyword, place }) => `${general(place) || 'the whole of it'} breaks ${keyword}`),
  );
  return faults.length > 0 ? `does not fit its schema: ${[...named].slice(0, 5).join(', ')}` : undefined;
}

/** The body as JSON; undefined where it is none. */
export function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
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

/** The places that a refusal of our shape names; undefined where it has another one. */
export function placesIn({ text }: Answer): string[] | undefined {
  const body = parsed(text)?.value;
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body))
    return undefined;
  if (!('fields' in body) || typeof body.fields !== 'string') return undefined;
  return body.fields === '' ? [] : body.fields.split(', ');
}

/** The code of a refusal of our shape. */
export function codeIn({ text }: Answer): number | undefined {
  const body = parsed(text)?.value;
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number'
    ? body.code
    : undefined;
}

/** A place with a star for any item of a list. */
const general = (place: string): string => place.replace(/\/\d+(?=\/|$)/g, '/*');

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
  const rule = own.find(({ fields }) => named !== undefined && explains(fields, named));
  // Several rules may be broken at once.
  const all = own.flatMap(({ fields }) => fields);
  if (rule || (named && named.length > 0 && explains(all, named))) {
    verdict.outcome = 'refused by a rule';
    verdict.rule = rule;
    return;
  }
  const where = named?.length ? `, naming ${[...new Set(named.map(general))].join(', ')}` : '';
  verdict.complaints.push({
    check: 'accepts-sound',
    message: `what fits the contract is refused with ${status}${where}`,
  });
}

/** Whether every named place is one of a rule. */
function explains(fields: readonly string[], named: readonly string[]): boolean {
  if (fields.length === 0) return named.length === 0;
  return (
    named.every((place) =>
      fields.some((field) => new RegExp(`^${field.split('*').map(escaped).join('[^/]+')}$`).test(place)),
    ) && named.length > 0
  );
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
