import { DatabaseSync } from 'node:sqlite';
import { failPower, killProcess } from './environment.ts';
import type { PlannedFault } from './plan.ts';
import type { Actor } from './scheduler.ts';
import { inSeconds } from './violation.ts';
import type { World } from './world.ts';

/** Maximum number of polls until a worker checks a claim, one per millisecond. */
const maxTries = 3_000;

/**
 * Injects a fault, and ends it after its time.
 * @param file the database
 * @param start starts a process again
 * @param pause waits some milliseconds
 */
export async function injectFault(
  world: World,
  file: string,
  { kind, process, ms }: PlannedFault,
  start: (number: number) => Promise<void>,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const { scheduler, processes } = world;
  const number = process % processes.length;
  const service = processes[number];
  const note = (text: string) => world.note(`${text} for ${inSeconds(ms)}`);
  /** Leases may end early because of the fault. */
  const disturb = async (duration: number, end: () => void) => {
    world.disturb();
    await pause(duration);
    end();
    world.disturb();
  };
  const kill = (actor: Actor) => {
    killProcess(actor);
    world.disturb();
    for (const sent of world.inFlight) if (sent.process === actor) world.inFlight.delete(sent);
  };
  if (kind === 'network') {
    note('the network loses 30 % of the requests and responses');
    world.lossShare = 0.3;
    await pause(ms);
    world.lossShare = 0;
    return;
  }
  if (kind === 'clock') {
    world.note(`the clock of the machine moves ahead by ${inSeconds(ms)}, and back after 3 s`);
    world.hasClockMoved = true;
    scheduler.moveClock(ms);
    return disturb(3_000, () => scheduler.moveClock(-ms));
  }
  if (kind === 'lock') {
    note('another program locks the database');
    const connection = new DatabaseSync(file, { timeout: 0 });
    try {
      connection.exec('BEGIN IMMEDIATE');
      await disturb(ms, () => {});
    } catch {
      world.note('the database is locked already');
    } finally {
      connection.close();
    }
    return;
  }
  if (kind === 'power') {
    // Workers write at least once a minute.
    const left = await failPower();
    note('the power fails during a commit, and all processes are down');
    for (const each of processes) if (each) kill(each.actor);
    processes.fill(undefined);
    world.replaceDatabase(left);
    await pause(ms);
    for (const each of processes.keys()) await start(each);
    return;
  }
  if (!service) return;
  const { actor } = service;
  // More goes wrong while a worker checks a claim: one that was suspended must check it again, for example.
  if (scheduler.random.next() < 0.5)
    for (let tries = 0; tries < maxTries && !actor.isChecking; tries += 1) await pause(1);
  if (kind === 'stall') {
    note(`${actor.name} is suspended, now or at its next query,`);
    if (scheduler.random.next() < 0.8) actor.stallAtQueryMs = ms;
    else scheduler.stall(actor, ms);
    return disturb(ms, () => {});
  }
  if (kind === 'full disk') {
    note(`commits of ${actor.name} fail, as on a full disk,`);
    actor.hasFullDisk = true;
    return disturb(ms, () => {
      actor.hasFullDisk = false;
    });
  }
  note(`${actor.name} is ${kind === 'kill' ? 'killed' : 'stopped'}, and down`);
  processes[number] = undefined;
  if (kind === 'kill') kill(actor);
  else
    await scheduler.start(actor, () => {
      actor.isStopping = true;
      return service.stop();
    });
  await pause(ms);
  await start(number);
}
