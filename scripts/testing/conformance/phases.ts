import fc from 'fast-check';
import { exampleRequests } from '../requests/examples.ts';
import type { Operation } from '../requests/operations.ts';
import { shapeOf } from '../requests/path-template.ts';
import type { RequestSpace } from '../requests/request-space.ts';
import { wireOf } from '../requests/serialize.ts';
import type { Attempt } from '../requests/test-case.ts';
import type { World } from '../schema-values/schema-context.ts';
import { judgeAnswer } from './check-response.ts';
import type { Complaint, Verdict } from './check-result.ts';
import {
  type Credentials,
  type Phase,
  type Session,
  type Tried,
  withCredentials,
  withoutCredentials,
} from './session.ts';

/** What the phases share. */
export interface Work {
  session: Session;
  /** All of the contract, whichever are tried. */
  operations: readonly Operation[];
  /** Of the document as it speaks of requests. */
  requests: World;
  answers: World;
  credentials: Credentials;
  /** How many random requests of each kind an operation gets. */
  runs: number;
  seed: number;
}

/** Reports each complaint about what was tried. */
function reportAll({ session }: Work, phase: Phase, tried: Tried): void {
  for (const complaint of tried.verdict.complaints) session.report(phase, tried, complaint);
}

/** The requests that the contract shows; then the same without credentials. */
export async function tryExamples(work: Work, space: RequestSpace): Promise<void> {
  const attempts = exampleRequests(work.requests, space);
  for (const attempt of attempts) reportAll(work, 'examples', await work.session.tryOut(attempt));
  const [first] = attempts;
  if (first && space.operation.security.length > 0) await tryWithoutCredentials(work, first);
}

async function tryWithoutCredentials(
  { session, answers, credentials }: Work,
  attempt: Attempt,
): Promise<void> {
  const { operation } = attempt.request;
  const bare = withoutCredentials(credentials, operation.security.flat());
  const wire = withCredentials(wireOf(attempt.request), bare);
  const answer = await session.sendRaw(wire);
  if (answer instanceof Error) return;
  const asked = { ...attempt, what: `${attempt.what}, without credentials` };
  const verdict: Verdict = { complaints: [], made: [], outcome: 'refused', rule: undefined };
  if (answer.status === 401 && '401' in operation.responses) judgeAnswer(answers, operation, answer, verdict);
  if (answer.status !== 401)
    verdict.complaints.push({
      check: 'needs-token',
      message: `without credentials ${answer.status} came, and not 401`,
    });
  session.count(operation.id, 'needs-token', answer.status === 401);
  for (const complaint of verdict.complaints)
    session.report('examples', { attempt: asked, wire, answer }, complaint);
}

const usualMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Methods that a path does not have. */
export async function tryOtherMethods(work: Work, spaces: readonly RequestSpace[]): Promise<void> {
  const byPath = Map.groupBy(spaces, ({ operation }) => operation.path);
  for (const [, [space]] of byPath) {
    const [attempt] = space ? exampleRequests(work.requests, space) : [];
    if (!space || !attempt) continue;
    const { target, headers } = wireOf(attempt.request);
    const there = work.operations.filter(({ path: each }) => each === space.operation.path);
    // Another template may fit the same path.
    const path = target.split('?')[0] ?? '';
    const others = work.operations.filter((operation) => fits(operation, path));
    const taken = [...there, ...others].map(({ method }) => method);
    for (const method of usualMethods.filter((each) => !taken.includes(each)))
      await tryMethod(
        work,
        { ...attempt, what: `${method}, which the path does not have` },
        { method, target: path, headers, body: undefined },
      );
  }
}

async function tryMethod(
  { session, credentials }: Work,
  attempt: Attempt,
  bare: Tried['wire'],
): Promise<void> {
  const wire = withCredentials(bare, credentials);
  const answer = await session.sendRaw(wire);
  if (answer instanceof Error) return;
  const { id } = attempt.request.operation;
  session.count(id, 'refuses-method', answer.status === 405);
  if (answer.status !== 405)
    session.report(
      'examples',
      { attempt, wire, answer },
      { check: 'refuses-method', message: `${wire.method} is answered with ${answer.status}, and not 405` },
    );
}

const fits = ({ path }: Operation, target: string): boolean => shapeOf(path).test(target);

/** Each limit: one below, on it, one above. */
export async function tryBoundaries(work: Work, { limits }: RequestSpace): Promise<void> {
  for (const attempt of limits) reportAll(work, 'boundaries', await work.session.tryOut(attempt));
}

/** Sound requests, and for each thing that can be wrong some in which it is; what fails is made small. */
export async function tryRandom(work: Work, { sound, broken }: RequestSpace): Promise<void> {
  await tryMany(work, sound, work.runs);
  // Unknown parameters are refused by some and ignored by others: the contract does not say.
  const judged = broken.filter(({ wrong }) => wrong.kind !== 'unknown');
  for (const { attempts } of judged)
    await tryMany(work, attempts, Math.max(1, Math.ceil(work.runs / judged.length)));
}

/** One cause of failure hides others: it is set aside, and the search goes on. */
const mostRounds = 5;
/** A service that is slow is not asked for ever for a smaller example. */
const shrinkMs = 20_000;

async function tryMany(work: Work, attempts: fc.Arbitrary<Attempt>, numRuns: number): Promise<void> {
  const { session, seed } = work;
  for (let round = 0; round < mostRounds; round += 1) {
    let last: { tried: Tried; complaint: Complaint } | undefined;
    let until = Number.POSITIVE_INFINITY;
    let silent = false;
    const details = await fc.check(
      fc.asyncProperty(attempts, async (attempt) => {
        if (silent || performance.now() > until) return true;
        const tried = await session.tryOut(attempt);
        // Whoever has said nothing once would be waited for again and again.
        silent = tried.answer === undefined;
        const complaint = tried.verdict.complaints.find(
          (each) =>
            !session.isKnown(attempt.request.operation.id, each) &&
            (!last || last.complaint.check === each.check),
        );
        if (!complaint) return true;
        until = Math.min(until, performance.now() + shrinkMs);
        last = { tried, complaint };
        return false;
      }),
      { seed, numRuns },
    );
    if (details.failed && !last) throw details.errorInstance;
    if (last) session.report('random', last.tried, last.complaint);
    if (!last || silent) return;
  }
  session.notes.add(`${mostRounds} causes were found for one kind of request; there may be more.`);
}
