import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite } from '../../../server/storage/sqlite/sqlite-store.ts';
import { killProcess } from '../chaos/fleet.ts';
import { createLabEnvironment } from '../environment.ts';
import type { RequestOutcome } from '../real-world/api-caller.ts';
import { startActors } from '../real-world/start-actors.ts';
import { findCorruption } from './integrity.ts';
import { killStarting } from './kill-during-start.ts';
import type { CrashScenario, ScenarioInput } from './scenario.ts';
import { databaseFileIn, startCrashableService } from './service-process.ts';

const clients = 8;
const maxWorkMs = 800;
/** On average, one in this many restarts is also killed during startup. */
const startsKilled = 4;
const maxStartMs = 500;

export const killProcessScenario: CrashScenario = {
  name: 'kill',
  what: 'kill -9 while eight clients write and webhooks are sent, and while the service restarts',
  rounds: 200,
  run,
};

async function run({ rounds, prng, onRound }: ScenarioInput) {
  const environment = createLabEnvironment(undefined);
  const file = databaseFileIn(environment);
  try {
    let running = await startCrashableService(environment);
    const store = await openSqlite(file);
    const committed = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const actors = await startActors({
      ...{ store, clients, seed: prng.below(2 ** 31), secretKey: String(environment.env.PARLEY_SECRET_KEY) },
      bases: () => [running.base],
      query: (sql) => committed.prepare(sql).all(),
    });
    const wrong: string[] = [];
    let startsKilledToo = 0;
    try {
      for (let round = 1; round <= rounds; round += 1) {
        await untilAnswered(actors.outcomes);
        await wait(prng.below(maxWorkMs));
        await killProcess(running.child);
        const corruption = findCorruption(file);
        if (corruption !== undefined) wrong.push(`round ${round}: ${corruption}`);
        if (prng.below(startsKilled) === 0) {
          await killStarting(['server/main.ts', '--empty'], { env: environment.env }, prng.below(maxStartMs));
          startsKilledToo += 1;
        }
        running = await startCrashableService(environment);
        onRound(round);
      }
      await actors.stop();
      const { acknowledged, erased, events, violation } = await actors.check();
      if (violation) wrong.push(`${violation.rule}: ${violation.message}`);
      return { observations: { acknowledged, erased, events, killedAtStart: startsKilledToo }, wrong };
    } finally {
      await actors.close();
      committed.close();
      await store.close();
    }
  } finally {
    await environment.close();
  }
}

const timeoutMs = 30_000;

/** Waits until another request has succeeded. */
async function untilAnswered(outcomes: readonly RequestOutcome[]): Promise<void> {
  const before = outcomes.length;
  for (const end = performance.now() + timeoutMs; ; await wait(5)) {
    if (outcomes.slice(before).some(({ status }) => status >= 200 && status < 300)) return;
    if (performance.now() > end) throw new Error('The service did not respond after its start.');
  }
}
