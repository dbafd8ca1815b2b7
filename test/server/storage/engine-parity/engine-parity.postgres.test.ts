import { expect, test } from 'vitest';
import { createTestDatabase, freshFile } from '../../../support/databases.ts';
import { seed as first, isLong, sampleCount } from '../../../support/sampling.ts';
import { resourceNames } from '../../own-contract/valid-requests.ts';
import { randomCalls } from './call-sequence.ts';
import { namedEvent } from './named-ids.ts';
import { clockStart, type EngineTarget, startEngineTarget } from './targets.ts';

/** Returns the deliveries of every webhook, without the IDs that may differ between the services. */
async function eventsOf(side: EngineTarget): Promise<unknown> {
  const all = await Promise.all(side.ids.webhook.map((webhook) => side.company.events(webhook)));
  return all.map((events) =>
    events.map(({ sequence, type, state, event }) => ({
      ...{ sequence, type, state },
      event: namedEvent(side, type, event),
    })),
  );
}

// Searches slow down as objects accumulate, so many short sequences find more bugs than one long one.
const seeds = Array.from({ length: sampleCount(1) }, (_, index) => first + index);

// A sequence that only fails or only succeeds would prove nothing. One that lacks one of these is continued.
const expectedStatuses = ['200', '201', '400', '404', '409', '412', '422', 'done', 'notFound'];
const maxFactor = 10;

test.each(seeds)(
  'SQLite and PostgreSQL return the same responses, errors and events for the same calls (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    let clock = clockStart;
    const now = () => clock;
    const [embedded, postgres] = await Promise.all([
      startEngineTarget(await freshFile(), now),
      startEngineTarget(await createTestDatabase(), now),
    ]);
    const tally = new Map<string, number>();
    const statuses = new Set<string>();
    const count = isLong ? 5_000 : 1_800;
    for (const [index, call] of randomCalls(seed, maxFactor * count).entries()) {
      if (index >= count && expectedStatuses.every((status) => statuses.has(status))) break;
      clock += 1_000 + (index % 7) * 350;
      const [one, other] = await Promise.all([call.on(embedded), call.on(postgres)]);
      expect(other, `call ${index} of seed ${seed}: ${call.what}`).toEqual(one);
      const outcome = `${call.what} ${statusOf(one)}`;
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      statuses.add(statusOf(one));
    }
    if (process.env.TEST_PRINT_CALLS)
      process.stdout.write(
        `${[...tally]
          .sort()
          .map((each) => each.join(': '))
          .join('\n')}\n`,
      );
    for (const kind of resourceNames) expect(embedded.ids[kind].length, kind).toBeGreaterThan(5);
    expect(await eventsOf(postgres)).toEqual(await eventsOf(embedded));
    expect([...statuses]).toEqual(expect.arrayContaining(expectedStatuses));
  },
);

const statusOf = (outcome: unknown): string => {
  if (typeof outcome !== 'object' || outcome === null) return String(outcome);
  if ('status' in outcome) return String(outcome.status);
  return 'errorName' in outcome ? String(outcome.errorName) : '?';
};
