import { createPrng, type Prng } from '../lib/prng.ts';

/** An operation of a client. `pick` chooses among the contacts that it knows then. */
export type Operation =
  | { kind: 'create'; isKeyed: boolean; copies: number; value?: number }
  | { kind: 'update'; pick: number; value?: number }
  | { kind: 'read'; pick: number; isForeign: boolean }
  | { kind: 'walk'; order: 'asc' | 'desc'; perPage: number }
  | { kind: 'count' };

export interface ClientPlan {
  company: number;
  token: number;
  /** Maximum pause between two operations, in milliseconds. */
  pauseMs: number;
  operations: Operation[];
}

export interface OperatorStep {
  kind: 'erase' | 'revoke' | 'disable' | 'enable' | 'rotate';
  company: number;
  pick: number;
  /** Pause before it, in milliseconds. */
  afterMs: number;
}

const receiverKinds = ['fast', 'late', 'slow', 'failing', 'hanging', 'lying'] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

export interface PlannedFault {
  kind: 'kill' | 'restart' | 'stall' | 'full disk' | 'lock' | 'clock' | 'network' | 'power';
  process: number;
  afterMs: number;
  /** Duration; for `clock`, how far it moves ahead before it moves back. In milliseconds. */
  ms: number;
}

/** Everything that happens in a simulation, except the order, which the seed decides. */
export interface Plan {
  seed: number;
  /** The simulation ends without a violation after this time of its own, in milliseconds. */
  maxMs: number;
  processes: number;
  /** From 0 to 1: the share of queries after which other processes may run. */
  queryPointShare: number;
  clients: ClientPlan[];
  operator: OperatorStep[];
  faults: PlannedFault[];
  /** The receivers of each company. */
  receivers: ReceiverKind[][];
}

/** The clock moves ahead by less than this, in milliseconds. */
export const longestClockMoveMs = 1_800_000;

export const companyCount = 3;
export const tokensPerCompany = 3;

const listOf = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_none, index) => make(index));

/** The events besides the requests of clients. An event that is listed more often is more likely. */
const scenarios = [
  ...(['calm', 'calm', 'faults', 'faults', 'faults', 'faults', 'power failures'] as const),
  ...(['noisy neighbors', 'noisy neighbors', 'revocations', 'suspension', 'suspension'] as const),
];

/** Creates the plan of a seed. */
export function createPlan(seed: number): Plan {
  const prng = createPrng(Math.imul(seed, 0x9e3779b1));
  const scenario = prng.oneOf(scenarios);
  // Two companies with slow receivers send much, but must not delay the third.
  const isNoisy = scenario === 'noisy neighbors';
  const isSuspended = scenario === 'suspension';
  // The code of a new process is slow at first, so long histories cost less per request.
  const length = isSuspended || scenario === 'revocations' ? 1 : 3;
  const isBusy = isNoisy || prng.next() < 0.3;
  const noisyPauseMs = prng.oneOf([100, 1_200]);
  const noisyReceivers = prng.oneOf([['slow', 'hanging'], ['late']] as const);
  const receiver = (company: number): ReceiverKind => {
    if (isNoisy) return company < 2 ? prng.oneOf(noisyReceivers) : 'fast';
    return prng.next() < 0.4 ? 'fast' : prng.oneOf(receiverKinds);
  };
  return {
    ...{ seed, maxMs: Number.POSITIVE_INFINITY },
    processes: isNoisy ? 1 : isSuspended ? 2 : prng.oneOf([1, 2, 2, 3]),
    queryPointShare: isSuspended ? 0.5 : prng.oneOf([0.1, 0.5, 1]),
    clients: listOf(4 + prng.below(6), (index) => {
      const isQuiet = isNoisy && index === 0;
      const usualPauseMs = isBusy ? 5 : prng.oneOf([5, 100, 800]);
      return {
        company: isQuiet ? companyCount - 1 : prng.below(isBusy ? companyCount - 1 : companyCount),
        token: prng.below(tokensPerCompany),
        pauseMs: isQuiet ? 1_200 : isNoisy ? noisyPauseMs : usualPauseMs,
        operations: listOf(length * (15 + prng.below(isBusy ? 45 : 25)), () => createOperation(prng)),
      };
    }),
    ...createEvents(prng, scenario, length),
    receivers: listOf(companyCount, (company) => listOf(2, () => receiver(company))),
  };
}

function createEvents(
  prng: Prng,
  scenario: (typeof scenarios)[number],
  length: number,
): Pick<Plan, 'operator' | 'faults'> {
  const step = (kind: OperatorStep['kind'], afterMs: number): OperatorStep => ({
    ...{ kind, company: prng.below(companyCount), pick: prng.below(1_000), afterMs },
  });
  if (scenario === 'noisy neighbors') return { operator: [], faults: [] };
  // Tokens are revoked while writes wait for a lock.
  if (scenario === 'revocations')
    return {
      operator: listOf(5, () => step('revoke', prng.below(500))),
      faults: listOf(4, () => {
        const [afterMs, ms] = [prng.below(300), 50 + prng.below(900)];
        return { kind: 'lock', process: 0, afterMs, ms };
      }),
    };
  // Contacts are erased while a process is suspended for longer than its leases. Workers send the first events after 1 s.
  if (scenario === 'suspension') {
    const [afterMs, ms] = [prng.below(500), 21_000 + prng.below(20_000)];
    return {
      operator: listOf(4, (index) => step('erase', index === 0 ? 1_000 + prng.below(700) : 30)),
      faults: [{ kind: 'stall', process: prng.below(2), afterMs, ms }],
    };
  }
  const faults = scenario === 'calm' ? [] : listOf(1 + prng.below(4 * length), () => createFault(prng));
  // A power failure also ends the operator's commands.
  if (scenario === 'power failures')
    return {
      operator: [],
      faults: faults.map((fault) => ({ ...fault, kind: 'power', ms: fault.ms % 2_000 })),
    };
  const kinds = ['erase', 'erase', 'revoke', 'disable', 'enable', 'rotate'] as const;
  return {
    operator: listOf(prng.below(12 * length), () => step(prng.oneOf(kinds), prng.below(1_500))),
    faults,
  };
}

/** Creates an operation at random. */
export function createOperation(prng: Prng): Operation {
  const pick = prng.below(1_000);
  const value = prng.next() < 0.3 ? { value: prng.below(3) } : {};
  const dice = prng.next();
  if (dice < 0.4)
    return { kind: 'create', isKeyed: prng.next() < 0.6, copies: prng.next() < 0.3 ? 2 : 1, ...value };
  if (dice < 0.65) return { kind: 'update', pick, ...value };
  if (dice < 0.8) return { kind: 'read', pick, isForeign: prng.next() < 0.3 };
  if (dice < 0.85)
    return { kind: 'walk', order: prng.oneOf(['asc', 'desc'] as const), perPage: 1 + prng.below(4) };
  return { kind: 'count' };
}

function createFault(prng: Prng): PlannedFault {
  const frequent = ['restart', 'stall', 'lock'] as const;
  const kind = prng.oneOf([...frequent, ...frequent, 'kill', 'full disk', 'clock', 'network'] as const);
  const longest = {
    kill: 2_000,
    restart: 500,
    stall: 40_000,
    'full disk': 5_000,
    lock: prng.next() < 0.8 ? 1_500 : 40_000,
    clock: longestClockMoveMs,
    network: 3_000,
  };
  return {
    kind,
    process: prng.below(3),
    afterMs: prng.below(2_500),
    ms: Math.ceil(prng.next() * longest[kind]),
  };
}
