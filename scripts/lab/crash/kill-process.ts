import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { balance, newLedger, type Outcome, type Stored } from '../chaos/acknowledged-writes.ts';
import { startCallers } from '../chaos/clients.ts';
import { kill, makeWebhook } from '../chaos/fleet.ts';
import { startReceiver } from '../chaos/webhook-receiver.ts';
import { createSurroundings } from '../environment.ts';
import { damageOf } from './integrity.ts';
import { killStarting } from './kill-during-start.ts';
import type { Failing, Given } from './scenario.ts';
import { fileOf, makeCompany, startService } from './service-process.ts';

const callers = 8;
const longestWorkMs = 800;
/** One start in so many is killed, too, before it has ended. */
const startsKilled = 4;
const longestStartMs = 500;
const settlingMs = 120_000;

export const killed: Failing = {
  name: 'kill',
  what: 'kill -9 while eight callers write and webhooks are sent, and while the service starts on what is left',
  rounds: 200,
  run,
};

async function run({ rounds, chance, onRound }: Given) {
  const around = createSurroundings(undefined);
  const receiver = await startReceiver(2);
  const file = fileOf(around);
  try {
    let running = await startService(around);
    const token = await makeCompany(around);
    for (const action_id of [1, 2]) await makeWebhook(running.base, token, receiver.url, action_id);
    const ledger = newLedger();
    const endCallers = startCallers({ bases: () => [running.base], token, ledger }, callers);
    const wrong: string[] = [];
    let startsKilledToo = 0;
    try {
      for (let round = 1; round <= rounds; round += 1) {
        await untilAnswered(ledger.outcomes);
        await wait(chance.below(longestWorkMs));
        await kill(running.child);
        const damage = damageOf(file);
        if (damage !== undefined) wrong.push(`round ${round}: ${damage}`);
        if (chance.below(startsKilled) === 0) {
          await killStarting(['server/main.ts', '--empty'], around.env, chance.below(longestStartMs));
          startsKilledToo += 1;
        }
        running = await startService(around);
        onRound(round);
      }
    } finally {
      await endCallers();
    }
    const { acknowledged, lostWrites, lostEvents, gaps, surplus, stale, events } = balance(
      ledger,
      await settled(file),
      receiver.arrived,
    );
    for (const [what, count] of Object.entries({ lostWrites, lostEvents, gaps, surplus, stale }))
      if (count > 0) wrong.push(`${what}: ${count}`);
    const statuses = ledger.outcomes.filter(({ status }) => status >= 400 && status !== 503).length;
    if (statuses > 0) wrong.push(`${statuses} answers were neither success nor 503`);
    return {
      told: { acknowledged, events, lostWrites, lostEvents, killedAtStart: startsKilledToo },
      wrong,
    };
  } finally {
    await around.close();
    await receiver.close();
  }
}

const patienceMs = 30_000;

/** Until another request has succeeded. */
async function untilAnswered(outcomes: readonly Outcome[]): Promise<void> {
  const before = outcomes.length;
  for (const end = performance.now() + patienceMs; ; await wait(5)) {
    if (outcomes.slice(before).some(({ status }) => status >= 200 && status < 300)) return;
    if (performance.now() > end) throw new Error('The service does not answer after its start.');
  }
}

/** What is stored when everything has been sent. */
async function settled(file: string): Promise<Stored[]> {
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
