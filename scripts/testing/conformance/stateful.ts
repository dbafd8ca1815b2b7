import fc from 'fast-check';
import { checkInTime } from '../schema-values/arbitrary.ts';
import type { Found } from './behavior/found.ts';
import { byProperties, plain, type Resource } from './behavior/resource.ts';
import { tryCreation } from './behavior/try-creation.ts';
import { type Chain, walkResource } from './behavior/walk-resource.ts';
import type { PhaseContext } from './phases.ts';
import type { TriedRequest } from './session.ts';

/** Maximum number of searches. Each one excludes the violations already found, which could hide others. */
const maxRounds = 5;

/** Creates resources, then reads, changes and deletes each of them by the ID that its creation returned. */
export async function tryStateful(
  work: PhaseContext,
  resource: Resource,
  idsFrom: (tried: TriedRequest) => unknown[],
): Promise<void> {
  const { create, update } = resource;
  const { session, seed, runs } = work;
  const chains: fc.Arbitrary<Chain> = fc.record({
    create: create.valid.map(plain),
    update: update ? update.valid.map(plain) : fc.constant(undefined),
  });
  const [fullest] = byProperties(create);
  const first = fullest ? [{ create: fullest, update: update && byProperties(update).at(-1) }] : [];
  for (let round = 0; round < maxRounds; round += 1) {
    let last: Found | undefined;
    const details = await checkInTime(
      fc.asyncProperty(chains, async (chain) => {
        if (session.isOver()) return true;
        for await (const found of walkResource(work, resource, chain, idsFrom)) {
          if (session.isKnown(found.tried.attempt.request.operation.id, found.violation)) continue;
          last = found;
          return false;
        }
        return true;
      }),
      { seed, numRuns: Math.max(3, Math.ceil(runs / 5)), examples: first.map((chain) => [chain]) },
    );
    if (details?.failed && !last) throw details.errorInstance;
    if (!last) break;
    session.report('stateful', last.tried, last.violation);
  }
  if (!session.isOver()) await tryCreation(work, resource, idsFrom);
}
