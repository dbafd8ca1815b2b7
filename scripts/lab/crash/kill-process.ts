import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createAcknowledgedWrites,
  findLostWrites,
  type RequestOutcome,
  type StoredContact,
} from '../chaos/acknowledged-writes.ts';
import { startClients } from '../chaos/clients.ts';
import { createWebhookFor, killProcess } from '../chaos/fleet.ts';
import { startRecordingReceiver } from '../chaos/webhook-receiver.ts';
import { createLabEnvironment } from '../environment.ts';
import { findCorruption } from './integrity.ts';
import { killStarting } from './kill-during-start.ts';
import type { CrashScenario, ScenarioInput } from './scenario.ts';
import { createCrashCompany, databaseFileIn, startCrashableService } from './service-process.ts';

const callers = 8;
const maxWorkMs = 800;
/** On average, one in this many restarts is also killed during startup. */
const startsKilled = 4;
const maxStartMs = 500;
const settlingMs = 120_000;

export const killProcessScenario: CrashScenario = {
  name: 'kill',
  what: 'kill -9 while eight clients write and webhooks are sent, and while the service restarts',
  rounds: 200,
  run,
};

async function run({ rounds, prng, onRound }: ScenarioInput) {
  const environment = createLabEnvironment(undefined);
  const receiver = await startRecordingReceiver(2);
  const file = databaseFileIn(environment);
  try {
    let running = await startCrashableService(environment);
    const token = await createCrashCompany(environment);
    for (const action_id of [1, 2]) await createWebhookFor(running.base, token, receiver.url, action_id);
    const ledger = createAcknowledgedWrites();
    const endCallers = startClients({ bases: () => [running.base], token, writes: ledger }, callers);
    const wrong: string[] = [];
    let startsKilledToo = 0;
    try {
      for (let round = 1; round <= rounds; round += 1) {
        await untilAnswered(ledger.outcomes);
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
    } finally {
      await endCallers();
    }
    const { acknowledged, lostWrites, lostEvents, gaps, surplus, stale, events } = findLostWrites(
      ledger,
      await settled(file),
      receiver.arrived,
    );
    for (const [what, count] of Object.entries({ lostWrites, lostEvents, gaps, surplus, stale }))
      if (count > 0) wrong.push(`${what}: ${count}`);
    const statuses = ledger.outcomes.filter(({ status }) => status >= 400 && status !== 503).length;
    if (statuses > 0) wrong.push(`${statuses} responses were neither success nor 503`);
    return {
      observations: { acknowledged, events, lostWrites, lostEvents, killedAtStart: startsKilledToo },
      wrong,
    };
  } finally {
    await environment.close();
    await receiver.close();
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

/** Returns the stored contacts once all deliveries have been sent. */
async function settled(file: string): Promise<StoredContact[]> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const left = database.prepare("SELECT count(*) AS count FROM deliveries WHERE state <> 'delivered'");
    for (const end = performance.now() + settlingMs; Number(left.get()?.count) > 0; await wait(50))
      if (performance.now() > end) throw new Error('Deliveries were not sent in time.');
    return database
      .prepare('SELECT id, last_name AS lastName FROM contacts')
      .all()
      .map(({ id, lastName }) => ({ id: Number(id), lastName: lastName === null ? null : String(lastName) }));
  } finally {
    database.close();
  }
}
