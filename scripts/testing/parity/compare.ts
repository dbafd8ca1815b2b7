import type { ErrorFormat } from '../../../server/pipeline/errors.ts';
import { codeIn, locationsIn } from '../conformance/error-body.ts';
import { isBusinessRule } from '../requests/business-rules.ts';
import type { HttpResponse, SendRequest } from '../requests/send.ts';
import { type SerializedRequest, toCurl } from '../requests/serialize.ts';
import { generalize } from '../schema-values/location.ts';
import type { ParityCase } from './cases.ts';

/** One of two services to compare. */
export interface ParityTarget {
  name: string;
  base: string;
  send: SendRequest;
  /** Returns the `Authorization` header of a token with these scopes. */
  tokenWith: (scopes: readonly string[] | 'all') => string;
}

export interface Difference {
  what: string;
  operation: string;
  curl: string;
  /** The two responses, by name of the service. */
  responses: Record<string, string>;
}

export interface ParityResult {
  requested: number;
  rejected: number;
  differences: Difference[];
  /** Number of error responses that only stored data explains, by operation, status, code and location. */
  stored: Map<string, number>;
}

type Compare = (
  requested: ParityCase,
  one: HttpResponse,
  other: HttpResponse,
) => 'same' | { stored: string[] } | 'different';

/**
 * Sends requests to both services, one at a time, and compares the responses.
 * @param compare decides what counts as equal
 * @param enough number of differences after which the comparison stops
 */
export async function compareResponses(
  requested: Iterable<ParityCase>,
  [one, other]: [ParityTarget, ParityTarget],
  { compare, enough = Number.POSITIVE_INFINITY }: { compare: Compare; enough?: number | undefined },
): Promise<ParityResult> {
  const agreement: ParityResult = { requested: 0, rejected: 0, differences: [], stored: new Map() };
  for (const each of requested) {
    const [first, second] = [await answerOf(one, each), await answerOf(other, each)];
    agreement.requested += 1;
    if (first.status >= 400) agreement.rejected += 1;
    // A missing response counts as a difference, even if both are missing.
    const result = first.status === 0 || second.status === 0 ? 'different' : compare(each, first, second);
    if (result === 'same') continue;

    if (result !== 'different') {
      for (const name of result.stored) agreement.stored.set(name, (agreement.stored.get(name) ?? 0) + 1);
      continue;
    }
    agreement.differences.push({
      what: each.what,
      operation: each.operation.id,
      curl: toCurl(one.base, each.wire, ['authorization']),
      responses: { [one.name]: told(first), [other.name]: told(second) },
    });
    if (agreement.differences.length >= enough) break;
  }
  return agreement;
}

const told = ({ status, text }: HttpResponse): string => `${status} ${text.slice(0, 300)}`;

async function answerOf(
  { send, tokenWith }: ParityTarget,
  { wire, caller, operation }: ParityCase,
): Promise<HttpResponse> {
  const token = {
    all: () => tokenWith('all'),
    'too little': () => tokenWith(operation.id === 'listCustomFields' ? ['contacts:read'] : ['fields:read']),
    nobody: () => undefined,
    'an unknown token': () => 'Bearer ply_live_nobody',
  }[caller]();
  const whole: SerializedRequest =
    token === undefined ? wire : { ...wire, headers: { Authorization: token, ...wire.headers } };
  return send(whole).catch((error: Error) => ({ status: 0, headers: {}, text: error.message }));
}

interface Refusal {
  status: number;
  code: number | undefined;
  fields: string[];
}

function refusalOf(response: HttpResponse): Refusal {
  const { status } = response;
  return status < 400
    ? { status, code: undefined, fields: [] }
    : { status, code: codeIn(response), fields: locationsIn(response) ?? [] };
}

/**
 * Compares the service and the static mock. If the contract and the request decide the response, status, code and
 * locations must be equal. If the mock accepts a request, the service may reject it because of stored data, provided
 * that the contract documents this.
 */
export const equalExceptStoredData = (errors: ErrorFormat): Compare => {
  const text = JSON.stringify(errors.body(errors.respond('validationFailed')));
  const validationCode = codeIn({ text });
  return ({ operation }, server, mock) => {
    const [one, other] = [refusalOf(server), refusalOf(mock)];
    if (JSON.stringify(one) === JSON.stringify(other)) return 'same';
    if (other.status >= 400 || one.status < 400) return 'different';
    const locations = new Set(one.fields.map(generalize));
    const named = [...(locations.size > 0 ? locations : ['(no location)'])].map(
      (location) => `${operation.id} ${one.status} ${one.code} ${location}`,
    );
    if ([404, 409, 412].includes(one.status) && String(one.status) in operation.responses)
      return { stored: named };
    const stored = operation.rules.filter(
      (rule) => rule.stored && (rule.code ?? validationCode) === one.code,
    );
    return one.status === 422 && isBusinessRule(stored, one.fields) ? { stored: named } : 'different';
  };
};

// Headers that are not compared. Time, request ID and secret differ in every response; only the mock names ignored
// preferences.
const own = ['date', 'x-request-id', 'webhook-secret', 'content-length', 'mock-ignored-preferences'];

/** Compares the service and the stateful mock: everything but the headers in `own` must be equal. */
export const equalResponses: Compare = (_asked, one, other) =>
  JSON.stringify(whole(one)) === JSON.stringify(whole(other)) ? 'same' : 'different';

const whole = ({ status, headers, text }: HttpResponse) => ({
  status,
  headers: Object.entries(headers)
    .filter(([name]) => !own.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
  text,
});
