import type { Contract } from '../../contract/model/contract.ts';
import { operationsOf, requestOperations, type TestedOperation } from '../requests/operations.ts';
import { type RequestSpace, withoutInvalidBodies } from '../requests/request-space.ts';
import type { SendRequest } from '../requests/send.ts';
import { shellVariable } from '../requests/serialize.ts';
import { TimeIsOver } from '../schema-values/arbitrary.ts';
import { createSchemaContext } from '../schema-values/schema-context.ts';
import { hasPages } from './behavior/next-page.ts';
import { isWriterOf, readWritten, sequenceHelpers } from './behavior/read-written.ts';
import { resourcesOf } from './behavior/resource.ts';
import { tryCreation } from './behavior/try-creation.ts';
import { tryPages } from './behavior/try-pages.ts';
import { walkResources } from './behavior/walk-resource.ts';
import type { OutcomeCounts, Rejection } from './check-result.ts';
import { checkBasePath, checkCredentials } from './check-setup.ts';
import { chooseOperations, idsOf, type LeftOut } from './choose-operations.ts';
import type { Credentials } from './credentials.ts';
import { type Destruction, destructionBy, inOrder } from './destructive-operations.ts';
import { createExistingResources } from './existing-resources.ts';
import { tryBoundaries, tryExamples, tryOtherMethods, tryRandom } from './phases.ts';
import type { RateLimitOptions } from './rate-limit.ts';
import { type SpaceGaps, spacesOf } from './request-spaces.ts';
import { createResourcePool } from './resource-pool.ts';
import { createServiceWatch } from './service-watch.ts';
import {
  type CheckTally,
  type ConformanceFinding,
  createSession,
  type Phase,
  type Session,
  type TriedRequest,
} from './session.ts';
import { tenantOf } from './tenants.ts';

export interface ConformanceOptions extends Omit<RateLimitOptions, 'timeLeft'> {
  contract: Contract;
  send: SendRequest;
  /** Base URL of the service, for `curl` lines. */
  base: string;
  credentials: Credentials;
  phases: readonly Phase[];
  /** Names of the operations to test (see `chooseOperations`); all if empty. */
  only: readonly string[];
  /** Names of the operations to leave out (default: none). */
  exclude?: readonly string[];
  /** Names of the operations that get no invalid bodies, because the service does not validate them (default: none). */
  unreadBodies?: readonly string[];
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
  /** The shell variables in curl commands, with the names of the headers and query parameters whose values they are. */
  variables: Record<string, string>;
  findings: ConformanceFinding[];
  /** The operations that were tested, and those of other findings. */
  operations: { id: string; checks: Record<string, CheckTally>; valid: OutcomeCounts | undefined }[];
  /** Operations that were not called, because an option leaves them out. */
  leftOut: LeftOut[];
  /** Operations that `--only` leaves out, but that were called to create or read what others need. */
  alsoCalled: string[];
  /** Operations that were tested last, because they destroy what other tests need. */
  last: { operation: string; destroys: Destruction }[];
  /** Set if the service or its credentials were gone before the end. */
  ended: EarlyEndReport | undefined;
  gaps: ReportGaps;
}

interface EarlyEndReport {
  lost: 'credentials' | 'service';
  /** The operation after which every request fails. */
  operation: string;
  /** Whether its description says that this is what it does. Otherwise it is also a finding. */
  isExpected: boolean;
  detail: string;
  /** Operations that were not tested, or not in all phases. */
  unfinished: string[];
}

interface ReportGaps extends SpaceGaps {
  /** Operations that accepted no valid request, so that their success responses are untested. */
  neverAccepted: { operation: string; rejections: Rejection[] }[];
  /** Operations that returned only lists without items, whose schema is therefore untested. */
  alwaysEmpty: string[];
  /** Business rules that rejected no request. */
  rulesNotMet: string[];
  /** Other limitations of the run. */
  notes: string[];
}

/**
 * Tests a service against its contract. The tests create, change and delete data.
 * @throws Error if the document is invalid, a selected operation does not exist, the URL lacks the path of the contract's
 * server, or the credentials are rejected
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { contract, phases, onProgress = () => {} } = options;
  await checkBasePath(contract, options);
  const responses = createSchemaContext(contract.document, { direction: 'response' });
  const documented = operationsOf(responses);
  const pool = createResourcePool(documented, responses);
  const endsAt = performance.now() + (options.maxSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
  const timeLeft = () => endsAt - performance.now();
  const requests = createSchemaContext(contract.view('request').document, {
    known: pool.known,
    assertTime: () => {
      if (timeLeft() < 0) throw new TimeIsOver('The time limit was reached before the first request.');
    },
  });
  const all = requestOperations(contract, requests, documented);
  const given = options.credentials;
  const credentials: Credentials = {
    ...given,
    headers: { ...tenantOf(requests, all, given.headers), ...given.headers },
  };
  const { chosen, leftOut } = chooseOperations(all, { only: options.only, exclude: options.exclude ?? [] });
  const destructions = new Map(contract.operations.map((each) => [each.id, destructionBy(each)]));
  const operations = inOrder(chosen, destructions);
  const secret = [...Object.keys(given.headers), ...Object.keys(given.query)];
  let at = 'reading the contract';
  const watch = createServiceWatch(options.send, (id) => destructions.get(id));
  const session = createSession({
    ...options,
    ...{ requests, responses, credentials },
    ...{ operations: all, secret, pool, watch, timeLeft },
    onRequest: ({ sent, findings }) => onProgress(`${at}, ${sent} requests, ${findings.length} findings`),
  });
  const left = new Set(leftOut.flatMap(({ operation, option }) => (option === '--exclude' ? operation : [])));
  const callable = all.filter(({ id }) => !left.has(id) && destructions.get(id) === undefined);
  const existing = createExistingResources(session, callable, requests, pool);
  const helpers = phases.includes('stateful') ? sequenceHelpers({ all, chosen, callable }) : [];
  const unread = idsOf(all, '--unread-bodies', options.unreadBodies ?? []);
  const read = (given: readonly TestedOperation[]) =>
    spacesOf(requests, given, (id) => {
      onProgress(`reading the contract: ${id}`);
      return !session.isOver();
    });
  const { spaces: found, gaps } = await read(operations);
  const spaces = found.map((space) => (unread.has(space.operation.id) ? withoutInvalidBodies(space) : space));
  const inSequences = [...spaces, ...(await read(helpers)).spaces];
  const begin = async (phase: Phase, { operation }: RequestSpace) => {
    at = `${phase}: ${operation.id}`;
    session.phase = phase;
    await existing.prepare(operation);
  };
  const unfinished = new Set(operations.map(({ id }) => id));
  const testAlone = async (tested: readonly RequestSpace[]) => {
    for (const phase of phases.filter((each) => each !== 'stateful')) {
      const step = { examples: tryExamples, boundaries: tryBoundaries, random: tryRandom }[phase];
      for (const space of tested) {
        await begin(phase, space);
        await step(session, space, existing);
      }
      if (phase === 'examples') await tryOtherMethods(session, tested);
    }
    for (const { operation } of tested) unfinished.delete(operation.id);
  };
  const isDestructive = ({ operation }: RequestSpace) => destructions.get(operation.id) !== undefined;
  const testSequences = async () => {
    for (const resource of resourcesOf(all, inSequences)) {
      const { create, read, update, remove, kind } = resource;
      const isTested = [create, read, update, remove].some((space) => space && spaces.includes(space));
      if (isDestructive(create) || !isTested) continue;
      await begin('stateful', create);
      const idsFrom = ({ attempt, response }: TriedRequest) =>
        response ? pool.idsFrom(attempt.request, response, kind) : [];
      await walkResources(session, resource, idsFrom);
      await tryCreation(session, resource, idsFrom);
    }
    for (const space of spaces) {
      const { method, path } = space.operation;
      await begin('stateful', space);
      const create = inSequences.find(
        ({ operation }) => operation.path === path && operation.method === 'post',
      );
      if (method === 'get' && (create || hasPages(space.operation))) await tryPages(session, space, create);
      const write = inSequences.find(({ operation }) => isWriterOf(space.operation, operation));
      if (write) await readWritten(session, space, write, existing.named);
    }
  };
  try {
    const [last, others] = [spaces.filter(isDestructive), spaces.filter((each) => !isDestructive(each))];
    await checkCredentials(session, others);
    await testAlone(others);
    if (phases.includes('stateful')) await testSequences();
    // One operation at a time, because the first request may make all others impossible.
    for (const space of last) await testAlone([space]);
  } catch (error) {
    if (!(error instanceof TimeIsOver)) throw error;
  }
  if (session.isOver() && !session.end)
    session.notes.add(`The time limit was reached at ${at}. What follows was not tested.`);
  const ended = session.end && {
    lost: session.end.lost,
    operation: session.end.by.attempt.request.operation.id,
    isExpected: session.end.isExpected,
    detail: session.end.detail,
    unfinished: [...unfinished],
  };
  const last = operations.flatMap(({ id }) => {
    const destroys = destructions.get(id);
    return destroys === undefined ? [] : [{ operation: id, destroys }];
  });
  const alsoCalled = leftOut.flatMap(({ operation }) => (session.outcomes.has(operation) ? [operation] : []));
  const notes = [...requests.notes, ...session.notes];
  return {
    ...reportOf(options, operations, session, { helpers, gaps, notes }),
    variables: Object.fromEntries(secret.map((name) => [shellVariable(name), name])),
    leftOut: leftOut.filter(({ operation }) => !alsoCalled.includes(operation)),
    alsoCalled,
    last,
    ended,
  };
}

function reportOf(
  { seed, runs, phases }: ConformanceOptions,
  operations: TestedOperation[],
  { findings, sent, tallies, outcomes, lists, rulesMet }: Session,
  { helpers, gaps, notes }: { helpers: TestedOperation[]; gaps: SpaceGaps; notes: string[] },
): Omit<ConformanceReport, 'variables' | 'leftOut' | 'alsoCalled' | 'last' | 'ended'> {
  const reported = new Set([
    ...operations.map(({ id }) => id),
    ...findings.map(({ operation }) => operation),
  ]);
  const rules = operations.flatMap(({ id, rules: own }) => own.map(({ rule }) => `${id}: ${rule}`));
  return {
    seed,
    runs,
    phases,
    requests: sent,
    findings,
    operations: [...reported].map((id) => ({
      id,
      checks: Object.fromEntries(tallies.get(id) ?? []),
      valid: outcomes.get(id),
    })),
    gaps: {
      ...gaps,
      notes,
      neverAccepted: [...operations, ...helpers.filter(({ id }) => outcomes.has(id))].flatMap(({ id }) => {
        const { accepted = 0, rejections = [] } = outcomes.get(id) ?? {};
        return accepted > 0 ? [] : [{ operation: id, rejections }];
      }),
      alwaysEmpty: operations.flatMap(({ id }) => (lists.get(id) === false ? [id] : [])),
      rulesNotMet: rules.filter((rule) => !rulesMet.has(rule)),
    },
  };
}
