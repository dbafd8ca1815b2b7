import { judgeAnswer } from '../conformance/check-response.ts';
import type { Verdict } from '../conformance/check-result.ts';
import { createPool } from '../conformance/resource-pool.ts';
import { kindsIn } from '../conformance/resource-types.ts';
import { type Operation, operationsOf } from '../requests/operations.ts';
import { documentFor } from '../requests/read-write-views.ts';
import { type RequestSpace, requestsTo } from '../requests/request-space.ts';
import type { Answer } from '../requests/send.ts';
import { createWorld, type World } from '../schema-values/schema-context.ts';
import { type Asked, askedOf } from './cases.ts';
import { type Agreement, alike, alikeButForStoredData, compareAnswers, type Side } from './compare.ts';

export interface Sample {
  document: object;
  /** The service: its lists show which ids there are. */
  server: Side;
  /** How many random requests: sound ones for each operation, and for each thing that can be wrong. */
  sound: number;
  broken: number;
  seed: number;
}

/** What a service and its mock can both be asked, in turns, so that what is made meets what is listed. */
export async function whatToAsk(sample: Sample): Promise<Asked[]> {
  const { world, spaces } = await reading(sample);
  return inTurns(spaces.map((space) => askedOf(world, space, sample)));
}

/** Asks the service and its static mock: see `alikeButForStoredData`. What the mock answers has to keep the contract, too. */
export async function agreeStatically(
  { document, server }: Pick<Sample, 'document' | 'server'>,
  mock: Side,
  asked: readonly Asked[],
  enough?: number,
): Promise<Agreement> {
  const answers = createWorld(documentFor('answers', document));
  const operations = new Map(operationsOf(answers).map((operation) => [operation.id, operation]));
  return compareAnswers(asked, [server, mock], {
    enough,
    compare(each, one, other) {
      const operation = operations.get(each.operation.id) ?? each.operation;
      return keepsContract(answers, operation, other) ? alikeButForStoredData(each, one, other) : 'different';
    },
  });
}

function keepsContract(answers: World, operation: Operation, answer: Answer): boolean {
  const verdict: Verdict = { complaints: [], made: [], outcome: 'accepted', rule: undefined };
  judgeAnswer(answers, operation, answer, verdict);
  // What belongs to no operation, such as 405, is documented by none.
  return verdict.complaints.every(({ check }) => check === 'status-documented');
}

/** Asks the service and its stateful mock, which may differ in nothing. */
export const agreeInEverything = (server: Side, mock: Side, asked: readonly Asked[]): Promise<Agreement> =>
  compareAnswers(asked, [server, mock], { compare: alike });

/** What can be asked, with the ids that lists of the service show. */
async function reading({ document, server }: Sample): Promise<{ world: World; spaces: RequestSpace[] }> {
  const answers = createWorld(documentFor('answers', document));
  const documented = operationsOf(answers);
  const pool = createPool(documented, kindsIn(answers));
  for (const operation of documented.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
    const request = { operation, path: {}, query: {}, header: {}, cookie: {} };
    const wire = {
      method: 'GET',
      target: operation.path,
      headers: { Authorization: server.tokenWith('all') },
      body: undefined,
    };
    pool.learn(request, await server.send(wire));
  }
  pool.settle();
  const world = createWorld(documentFor('requests', document), pool.known);
  return { world, spaces: operationsOf(world).map((operation) => requestsTo(world, operation)) };
}

function inTurns(groups: readonly Asked[][]): Asked[] {
  const longest = Math.max(...groups.map((group) => group.length));
  return Array.from({ length: longest }, (_, place) => groups.flatMap((group) => group[place] ?? [])).flat();
}
