import type { ClientPlan, Plan } from './plan.ts';
import type { Outcome } from './run-simulation.ts';
import { real } from './scheduler.ts';

/** Orders that are tried for each smaller plan, because it changes the order of what is left. */
const triedOrders = 6;

/**
 * Removes parts of a plan while the same rule is broken.
 * @param run runs the simulation of a plan
 * @param budgetMs maximum duration, in milliseconds of real time
 * @returns the outcome of the smallest plan
 */
export async function shrink(
  plan: Plan,
  outcome: Outcome,
  run: (plan: Plan) => Promise<Outcome>,
  budgetMs: number,
): Promise<Outcome> {
  const end = real.now() + budgetMs;
  let smallest = { plan, outcome };

  /** @returns whether one of these plans breaks the rule, and is the smallest now */
  async function findSmaller(plans: readonly Plan[]): Promise<boolean> {
    for (const smaller of plans)
      for (let order = 0; order < triedOrders && real.now() < end; order += 1) {
        const candidate = { ...smaller, seed: smaller.seed + order, maxMs: 2 * smallest.outcome.endedAt };
        const result = await run(candidate);
        if (result.violation?.rule !== outcome.violation?.rule) continue;
        smallest = { plan: candidate, outcome: result };
        return true;
      }
    return false;
  }

  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const smallerPlans of reductions)
      while (await findSmaller(smallerPlans(smallest.plan))) hasShrunk = true;
  }
  return smallest.outcome;
}

/** Each returns plans without parts of a plan, those without large parts first. */
const reductions: readonly ((plan: Plan) => Plan[])[] = [
  // Much of what comes after the violation, or before it, so that all further runs take less time.
  ({ clients, ...plan }) =>
    clients.some(({ operations }) => operations.length > 1)
      ? [0, 1].map((half) => ({ ...plan, clients: clients.map((client) => withHalf(client, half)) }))
      : [],
  ({ faults, ...plan }) => smallerLists(faults).map((fewer) => ({ ...plan, faults: fewer })),
  ({ clients, ...plan }) => smallerLists(clients).map((fewer) => ({ ...plan, clients: fewer })),
  ({ operator, ...plan }) => smallerLists(operator).map((fewer) => ({ ...plan, operator: fewer })),
  (plan) => (plan.processes > 1 ? [{ ...plan, processes: plan.processes - 1 }] : []),
  ({ clients, ...plan }) =>
    clients.flatMap((client, index) =>
      smallerLists(client.operations).map((operations) => ({
        ...plan,
        clients: clients.with(index, { ...client, operations }),
      })),
    ),
];

function withHalf(client: ClientPlan, half: number): ClientPlan {
  const { operations } = client;
  const middle = Math.ceil(operations.length / 2);
  return { ...client, operations: half === 0 ? operations.slice(0, middle) : operations.slice(middle) };
}

/** Returns lists without anything, without a half, then without each element. */
function smallerLists<T>(list: readonly T[]): T[][] {
  const half = list.length >> 1;
  const shortLists = half > 0 ? [[], list.slice(half), list.slice(0, half)] : [];
  return [...shortLists, ...list.map((_none, index) => list.toSpliced(index, 1))];
}
