import { errors } from '../../../server/errors.ts';
import { codeIn, placesIn } from '../conformance/error-body.ts';
import { isExplained } from '../requests/business-rules.ts';
import type { Answer, Send } from '../requests/send.ts';
import { curlOf, type Wire } from '../requests/serialize.ts';
import { general } from '../schema-values/location.ts';
import type { Asked } from './cases.ts';

/** One of two services that are asked the same. */
export interface Side {
  name: string;
  base: string;
  send: Send;
  /** The `Authorization` header of somebody with these scopes. */
  tokenWith: (scopes: readonly string[] | 'all') => string;
}

export interface Difference {
  what: string;
  operation: string;
  curl: string;
  /** What each has said. */
  answers: Record<string, string>;
}

export interface Agreement {
  asked: number;
  refused: number;
  differences: Difference[];
  /** Refusals that only stored data explains, by operation, status and place, with how often they came. */
  stored: Map<string, number>;
}

type Compare = (asked: Asked, one: Answer, other: Answer) => 'same' | { stored: string[] } | 'different';

/**
 * Asks both for the same, one after the other.
 * @param compare what counts as the same
 * @param enough after how many differences nothing more is asked
 */
export async function compareAnswers(
  asked: Iterable<Asked>,
  [one, other]: [Side, Side],
  { compare, enough = Number.POSITIVE_INFINITY }: { compare: Compare; enough?: number | undefined },
): Promise<Agreement> {
  const agreement: Agreement = { asked: 0, refused: 0, differences: [], stored: new Map() };
  for (const each of asked) {
    const [first, second] = [await answerOf(one, each), await answerOf(other, each)];
    agreement.asked += 1;
    if (first.status >= 400) agreement.refused += 1;
    // Two that both say nothing have not agreed.
    const verdict = first.status === 0 || second.status === 0 ? 'different' : compare(each, first, second);
    if (verdict === 'same') continue;

    if (verdict !== 'different') {
      for (const name of verdict.stored) agreement.stored.set(name, (agreement.stored.get(name) ?? 0) + 1);
      continue;
    }
    agreement.differences.push({
      what: each.what,
      operation: each.operation.id,
      curl: curlOf(one.base, each.wire, ['authorization']),
      answers: { [one.name]: told(first), [other.name]: told(second) },
    });
    if (agreement.differences.length >= enough) break;
  }
  return agreement;
}

const told = ({ status, text }: Answer): string => `${status} ${text.slice(0, 300)}`;

async function answerOf({ send, tokenWith }: Side, { wire, caller, operation }: Asked): Promise<Answer> {
  const token = {
    all: () => tokenWith('all'),
    'too little': () => tokenWith(operation.id === 'listCustomFields' ? ['contacts:read'] : ['fields:read']),
    nobody: () => undefined,
    'a stranger': () => 'Bearer ply_live_nobody',
  }[caller]();
  const whole: Wire =
    token === undefined ? wire : { ...wire, headers: { Authorization: token, ...wire.headers } };
  return send(whole).catch((error: Error) => ({ status: 0, headers: {}, text: error.message }));
}

interface Refusal {
  status: number;
  code: number | undefined;
  fields: string[];
}

function refusalOf(answer: Answer): Refusal {
  const { status } = answer;
  return status < 400
    ? { status, code: undefined, fields: [] }
    : { status, code: codeIn(answer), fields: placesIn(answer) ?? [] };
}

/**
 * Server and static mock: the same status, code and places wherever the contract and the request alone decide. Where
 * the mock has no complaint, the server may have one that depends on what is stored, if the contract says so.
 */
export const alikeButForStoredData: Compare = ({ operation }, server, mock) => {
  const [one, other] = [refusalOf(server), refusalOf(mock)];
  if (JSON.stringify(one) === JSON.stringify(other)) return 'same';
  if (other.status >= 400 || one.status < 400) return 'different';
  const places = new Set(one.fields.map(general));
  const named = [...(places.size > 0 ? places : ['(no place)'])].map(
    (place) => `${operation.id} ${one.status} ${one.code} ${place}`,
  );
  if ([404, 409, 412].includes(one.status) && String(one.status) in operation.responses)
    return { stored: named };
  const stored = operation.rules.filter(
    (rule) => rule.stored && (rule.code ?? errors.invalid.code) === one.code,
  );
  return one.status === 422 && isExplained(stored, one.fields) ? { stored: named } : 'different';
};

// What no two answers share: when, and under which name, and what is secret.
const own = ['date', 'x-request-id', 'webhook-secret', 'content-length'];

/** Server and stateful mock: the same in everything. */
export const alike: Compare = (_asked, one, other) =>
  JSON.stringify(whole(one)) === JSON.stringify(whole(other)) ? 'same' : 'different';

const whole = ({ status, headers, text }: Answer) => ({
  status,
  headers: Object.entries(headers)
    .filter(([name]) => !own.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
  text,
});
