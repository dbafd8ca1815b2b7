import type { Contract } from '../../contract/model/contract.ts';
import { exampleRequests } from '../requests/examples.ts';
import { operationsOf, type TestedOperation } from '../requests/operations.ts';
import { requestOperations } from '../requests/request-operations.ts';
import type { RequestSpace } from '../requests/request-space.ts';
import type { SendRequest } from '../requests/send.ts';
import { serializeRequest } from '../requests/serialize.ts';
import { createSchemaContext } from '../schema-values/schema-context.ts';
import { documentsSuccess } from './check-case.ts';
import { type Credentials, credentialsFor, withCredentials } from './credentials.ts';
import { type PhaseContext, tryBoundaries, tryExamples, tryOtherMethods, tryRandom } from './phases.ts';
import { type SpaceGaps, spacesOf } from './request-spaces.ts';
import { createResourcePool } from './resource-pool.ts';
import { resourceTypesOf } from './resource-types.ts';
import {
  type CheckTally,
  type ConformanceFinding,
  createSession,
  type OutcomeCounts,
  type Phase,
  type Session,
} from './session.ts';
import { resourcesOf, tryStateful } from './stateful.ts';

export interface ConformanceOptions {
  contract: Contract;
  send: SendRequest;
  /** Base URL of the service, for `curl` lines. */
  base: string;
  credentials: Credentials;
  phases: readonly Phase[];
  /** IDs of the operations to test; all if empty. */
  only: readonly string[];
  /** Number of random valid requests per operation, and approximate number of random invalid ones. */
  runs: number;
  seed: number;
  /** Seconds after which no further requests are sent (default: no limit). */
  maxSeconds?: number | undefined;
  onProgress?: (text: string) => void;
}

/** The result of a run. */
export interface ConformanceReport {
  seed: number;
  runs: number;
  phases: readonly Phase[];
  requests: number;
  findings: ConformanceFinding[];
  operations: { id: string; checks: Record<string, CheckTally>; valid: OutcomeCounts | undefined }[];
  /** Occurrences of each keyword in request schemas. */
  keywords: Record<string, number>;
  gaps: ReportGaps;
}

export interface ReportGaps extends SpaceGaps {
  /** Operations that accepted no valid request, so that their success responses are untested. */
  neverAccepted: string[];
  /** Business rules that rejected no request. */
  rulesNotMet: string[];
  /** Other limitations of the run. */
  notes: string[];
}

/**
 * Tests a service against its contract. The tests create, change and delete data.
 * @throws Error if the document is invalid, a selected operation does not exist, or the credentials are rejected
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { contract, credentials, phases, runs, seed, onProgress = () => {} } = options;
  const responses = createSchemaContext(contract.view('response').document);
  const documented = operationsOf(responses);
  const pool = createResourcePool(documented, resourceTypesOf(responses));
  const requests = createSchemaContext(contract.view('request').document, pool.known);
  const all = requestOperations(contract, requests, documented);
  const operations = chosen(all, options.only);
  let at = 'reading the contract';
  const session = createSession({
    ...options,
    responses,
    operations: all,
    pool,
    onRequest: ({ requests: sent, findings }) =>
      onProgress(`${at}, ${sent} requests, ${findings.length} findings`),
  });
  const work: PhaseContext = { session, operations: all, requests, responses, credentials, runs, seed };
  const { spaces, gaps } = await spacesOf(requests, operations, (id) => {
    onProgress(`reading ${id}`);
    return !session.isOver();
  });
  const begin = (phase: Phase, what: string) => {
    at = `${phase}: ${what}`;
    pool.settle();
  };

  await checkCredentials(work, spaces);
  for (const phase of phases.filter((each) => each !== 'stateful')) {
    const step = { examples: tryExamples, boundaries: tryBoundaries, random: tryRandom }[phase];
    for (const space of spaces) {
      if (session.isOver()) break;
      begin(phase, space.operation.id);
      await step(work, space);
    }
    if (session.isOver()) break;
    if (phase === 'examples') await tryOtherMethods(work, spaces);
  }
  for (const resource of phases.includes('stateful') ? resourcesOf(work, spaces) : []) {
    if (session.isOver()) break;
    begin('stateful', resource.create.operation.id);
    await tryStateful(work, resource, ({ attempt, response }) =>
      response ? pool.idsFrom(attempt.request, response, resource.kind) : [],
    );
  }
  if (session.isOver())
    session.notes.add(`The time limit was reached at ${at}. What follows was not tested.`);
  return reportOf(options, operations, session, {
    spaces,
    gaps,
    notes: [...requests.notes, ...session.notes],
  });
}

/**
 * Sends one request to check the credentials. If the service rejected them, every request would be a finding.
 * @throws Error if the service returns 401
 */
async function checkCredentials(
  { session, requests, credentials, operations }: PhaseContext,
  spaces: readonly RequestSpace[],
): Promise<void> {
  const secured = spaces.find(
    ({ operation }) => operation.securitySchemes.length > 0 && documentsSuccess(operation),
  );
  const [attempt] = secured ? exampleRequests(requests, secured) : [];
  if (!attempt) return;
  const own = credentialsFor(attempt.request.operation, credentials, operations);
  const response = await session.sendRaw(withCredentials(serializeRequest(attempt.request), own));
  if (!(response instanceof Error) && response.status === 401)
    throw new Error(
      `The service rejects the credentials: ${attempt.request.operation.id} returned 401.\n  Set valid credentials: --header 'Authorization: Bearer …', or --query.`,
    );
}

function chosen(operations: TestedOperation[], only: readonly string[]): TestedOperation[] {
  const missing = only.filter((id) => !operations.some((operation) => operation.id === id));
  if (missing.length > 0)
    throw new Error(
      `The contract has no operation ${missing.join(', ')}. Operations: ${operations.map(({ id }) => id).join(', ')}.`,
    );
  const wanted = operations.filter(({ id }) => only.length === 0 || only.includes(id));
  // Lists first, deletions last.
  const rank = ({ method, path }: TestedOperation) =>
    method === 'delete' ? 2 : method === 'get' && !path.includes('{') ? 0 : 1;
  return wanted.toSorted((one, other) => rank(one) - rank(other));
}

function reportOf(
  { seed, runs, phases }: ConformanceOptions,
  operations: TestedOperation[],
  { findings, requests, tallies, outcomes, rulesMet }: Session,
  { spaces, gaps, notes }: { spaces: RequestSpace[]; gaps: SpaceGaps; notes: string[] },
): ConformanceReport {
  const rules = operations.flatMap(({ id, rules: own }) => own.map(({ rule }) => `${id}: ${rule}`));
  return {
    seed,
    runs,
    phases,
    requests,
    findings,
    operations: operations.map(({ id }) => ({
      id,
      checks: Object.fromEntries(tallies.get(id) ?? []),
      valid: outcomes.get(id),
    })),
    keywords: countedIn(spaces),
    gaps: {
      ...gaps,
      notes,
      neverAccepted: operations.flatMap(({ id }) => (outcomes.get(id)?.accepted ? [] : [id])),
      rulesNotMet: rules.filter((rule) => !rulesMet.has(rule)),
    },
  };
}

function countedIn(spaces: readonly RequestSpace[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const [word, count] of spaces.flatMap(({ keywords }) => [...keywords]))
    counts.set(word, (counts.get(word) ?? 0) + count);
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
}
