import type { ClientPlan, Plan } from './plan.ts';
import { real } from './real-functions.ts';
import type { Outcome } from './run-simulation.ts';

/** Orders that are tried for each smaller plan, because it changes the order of what is left. */
const triedOrders = 3;

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
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const smaller of smallerPlans(smallest.plan)) {
      for (let order = 0; order < triedOrders && !hasShrunk; order += 1) {
        if (real.now() > end) return smallest.outcome;
        const candidate = { ...smaller, seed: smaller.seed + order };
        const result = await run(candidate);
        if (result.violation?.rule !== outcome.violation?.rule) continue;
        smallest = { plan: candidate, outcome: result };
        hasShrunk = true;
      }
      if (hasShrunk) break;
    }
  }
  return smallest.outcome;
}

/** Yields plans without parts of a plan, those without large parts first. */
function* smallerPlans(plan: Plan): Generator<Plan> {
  // Most of what comes after the violation, so that all further runs take less time.
  if (plan.clients.some(({ operations }) => operations.length > 1))
    yield { ...plan, clients: plan.clients.map(withFirstHalf) };
  for (const faults of smallerLists(plan.faults)) yield { ...plan, faults };
  for (const clients of smallerLists(plan.clients)) yield { ...plan, clients };
  for (const operator of smallerLists(plan.operator)) yield { ...plan, operator };
  if (plan.processes > 1) yield { ...plan, processes: plan.processes - 1 };
  for (const [index, client] of plan.clients.entries())
    for (const operations of smallerLists(client.operations))
      yield { ...plan, clients: plan.clients.with(index, { ...client, operations }) };
}

const withFirstHalf = (client: ClientPlan): ClientPlan => ({
  ...client,
  operations: client.operations.slice(0, Math.ceil(client.operations.length / 2)),
});

/** Yields lists without a half, then without each element. */
function* smallerLists<T>(list: readonly T[]): Generator<T[]> {
  const half = list.length >> 1;
  if (half > 1) {
    yield list.slice(half);
    yield list.slice(0, half);
  }
  for (const index of list.keys()) yield list.toSpliced(index, 1);
}
