import { DatabaseSync } from 'node:sqlite';
import { fillDisk, killProcess } from './environment.ts';
import type { PlannedFault } from './plan.ts';
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
  if (kind === 'network') {
    world.note(`the network loses messages for ${ms} ms`);
    world.lossShare = 0.3;
    await pause(ms);
    world.lossShare = 0;
    return;
  }
  if (kind === 'clock') {
    world.note(`the clock moves ahead by ${ms} ms, and back after 3 s`);
    world.hasClockMoved = true;
    scheduler.moveClock(ms);
    world.disturb();
    await pause(3_000);
    scheduler.moveClock(-ms);
    world.disturb();
    return;
  }
  if (kind === 'lock') {
    world.note(`another program locks the database for ${ms} ms`);
    const connection = new DatabaseSync(file, { timeout: 0 });
    try {
      connection.exec('BEGIN IMMEDIATE');
      world.disturb();
      await pause(ms);
      world.disturb();
    } catch {
      world.note('the database is locked already');
    } finally {
      connection.close();
    }
    return;
  }
  if (!service) return;
  const { actor } = service;
  // More goes wrong while a worker checks a claim: one that was suspended must check it again, for example.
  if (scheduler.random.next() < 0.5)
    for (let tries = 0; tries < maxTries && !world.checking.has(actor); tries += 1) await pause(1);
  world.note(`${kind}: ${actor.name} for ${ms} ms`);
  if (kind === 'stall') {
    world.disturb();
    if (scheduler.random.next() < 0.8) actor.stallAtQueryMs = ms;
    else scheduler.stall(actor, ms);
    await pause(ms);
    world.disturb();
  } else if (kind === 'full disk') {
    world.disturb();
    fillDisk(actor, true);
    await pause(ms);
    fillDisk(actor, false);
    world.disturb();
  } else {
    processes[number] = undefined;
    if (kind === 'kill') {
      killProcess(actor);
      for (const sent of world.inFlight) if (sent.process === actor) world.inFlight.delete(sent);
    } else {
      const stopped = Promise.withResolvers<void>();
      scheduler.run(actor, () => {
        world.stopping.add(actor);
        void service.stop().then(stopped.resolve, stopped.reject);
      });
      await stopped.promise;
    }
    await pause(ms);
    await start(number);
  }
}
