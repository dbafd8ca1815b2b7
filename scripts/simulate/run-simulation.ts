import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createSecrets } from '../../server/security/secrets/encryption.ts';
import { openSqlite } from '../../server/storage/sqlite/sqlite-store.ts';
import { createPrng } from '../lib/prng.ts';
import { checkEnd, listWaiting } from './checks.ts';
import { type ClientWorld, runClient } from './clients.ts';
import type { Template } from './create-company.ts';
import { useScheduler } from './environment.ts';
import { injectFault } from './faults.ts';
import { createModel } from './model.ts';
import { createOperator } from './operator.ts';
import { longestClockMoveMs, type Plan } from './plan.ts';
import { createReceivers } from './receivers.ts';
import { type Actor, createScheduler } from './scheduler.ts';
import { type ApiReply, type ApiRequest, secretKey, startServiceProcess } from './service-process.ts';
import { firstViolation, inSeconds, resetViolation, violate } from './violation.ts';
import type { World } from './world.ts';

export interface Outcome {
  violation: { rule: string; message: string } | undefined;
  history: string[];
  requests: number;
  deliveries: number;
  /** The simulated time at its end, in milliseconds. It is the same for equal runs, because each task takes a random time. */
  endedAt: number;
}

/** A lease and its renewal, with some time to spare, in milliseconds. */
const longestLeaseMs = 25_000;
/** Time for first attempts after all faults: due times are repaired once a minute. In milliseconds. */
const firstAttemptsMs = 90_000;
/** A lease of a time when the clock was ahead ends later by up to this, and is not repaired. In milliseconds. */
const toleratedSkewMs = 330_000;
/** Time for all attempts after all faults: the second retry is after five minutes and jitter. In milliseconds. */
const allAttemptsMs = 460_000;
/** A simulation with more tasks never ends. */
const maxSteps = 2_000_000;

/** Runs the simulation of a plan on a copy of the template. */
export async function runSimulation(plan: Plan, template: Template): Promise<Outcome> {
  const file = `${template.file}-${plan.seed}`;
  copyFileSync(template.file, file);
  const scheduler = createScheduler(createPrng(plan.seed), plan.queryPointShare);
  let committed = new DatabaseSync(file, { readOnly: true });
  const history: string[] = [];
  let disturbedAt = Number.NEGATIVE_INFINITY;
  let isOver = false;
  const world: World = {
    ...{ plan, scheduler, companies: template.companies, random: scheduler.random, time: scheduler.time },
    model: createModel(),
    query: (sql) => committed.prepare(sql).all(),
    replaceDatabase([database, log]) {
      committed.close();
      writeFileSync(file, database);
      writeFileSync(`${file}-wal`, log);
      rmSync(`${file}-shm`);
      committed = new DatabaseSync(file, { readOnly: true });
    },
    processes: Array.from({ length: plan.processes }, () => undefined),
    inFlight: new Set(),
    lossShare: 0,
    isHealed: false,
    hasClockMoved: false,
    counts: { requests: 0, deliveries: 0 },
    note: (text) =>
      firstViolation() ??
      history.push(`${inSeconds(scheduler.time()).padStart(11)}  ${scheduler.current()?.name}: ${text}`),
    disturb: () => {
      disturbedAt = scheduler.time();
    },
    isDisturbed: (since) => Math.max(disturbedAt, scheduler.lastStallEnd()) >= since - longestLeaseMs,
  };
  resetViolation();
  useScheduler(scheduler);
  runActors(world, file, () => {
    isOver = true;
  });
  try {
    await scheduler.drive(() => {
      if (scheduler.steps() > maxSteps)
        violate('the simulation ends', `It has not ended after ${maxSteps} tasks.`);
      isOver ||= scheduler.time() > plan.maxMs;
      return isOver || firstViolation() !== undefined;
    });
    if (!isOver && !firstViolation())
      violate('the simulation ends', 'Something waits for what never happens.');
  } catch (error) {
    if (!firstViolation()) throw error;
  } finally {
    useScheduler(undefined);
    committed.close();
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  }
  const violation = firstViolation();
  return {
    violation: violation && { rule: violation.rule, message: violation.message },
    history,
    ...world.counts,
    endedAt: scheduler.time(),
  };
}

function runActors(world: World, file: string, onEnd: () => void): void {
  const { plan, scheduler } = world;
  const director = scheduler.addActor('faults');
  const receivers = createReceivers(world);
  let starts = 0;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => scheduler.runIn(director, ms, resolve));

  const clientWorld = (actor: Actor): ClientWorld => ({
    ...world,
    pause: (ms) => new Promise((resolve) => scheduler.runIn(actor, ms, resolve)),
    call: (request) => callService(world, actor, scheduler.random.below(3), request),
  });

  async function start(number: number): Promise<void> {
    starts += 1;
    const actor = scheduler.addActor(`process ${starts}`);
    world.processes[number] = await scheduler.start(actor, () =>
      startServiceProcess(
        actor,
        file,
        (request, signal) => receivers.send(actor, request, signal),
        (error) => world.note(`reports ${String(error)}`),
      ),
    );
  }

  async function run(): Promise<void> {
    for (let number = 0; number < plan.processes; number += 1) await start(number);
    const operatorActor = scheduler.addActor('operator');
    const operator =
      plan.operator.length > 0 &&
      (await scheduler.start(operatorActor, async () => {
        const store = await openSqlite(file);
        const secrets = createSecrets(secretKey);
        return createOperator({ ...world, store, secrets });
      }));
    const clients = plan.clients.map((client, index) => {
      const actor = scheduler.addActor(`client ${index}`);
      return scheduler.start(actor, () => runClient(clientWorld(actor), client, index));
    });
    const commands = (async () => {
      for (const step of plan.operator) {
        await pause(step.afterMs);
        if (operator) await scheduler.start(operatorActor, () => operator.run(step));
      }
    })();
    const faults = (async () => {
      for (const fault of plan.faults) {
        await pause(fault.afterMs);
        await injectFault(world, file, fault, start, pause);
      }
    })();
    await Promise.all([...clients, commands, faults]);
    world.isHealed = true;
    if (operator) await scheduler.start(operatorActor, () => operator.enableAll());
    await drain();
    await checkEnd(world, receivers.arrivals);
  }

  async function drain(): Promise<void> {
    const from = scheduler.time();
    for (let left = await listWaiting(world.query); left.length > 0; left = await listWaiting(world.query)) {
      await pause(2_000);
      const waited = scheduler.time() - from;
      const late = firstAttemptsMs + (world.hasClockMoved ? toleratedSkewMs : 0);
      const [unsent] = waited > late ? await listWaiting(world.query, 0) : [];
      if (unsent) violate('the queue drains', `No attempt of ${unsent} in ${late / 1_000} s without faults.`);
      // A retry that was planned while the clock was ahead is later by as much.
      if (waited > allAttemptsMs + (world.hasClockMoved ? longestClockMoveMs : 0))
        violate('the queue drains', `After ${waited / 1_000} s, ${left[0]} has not succeeded.`);
    }
  }

  scheduler.run(director, () => void run().then(onEnd));
}

/** Clients give up after this time, in milliseconds. */
const clientTimeoutMs = 30_000;

/** A live process responds within this time: two waits for locks of 5 s, and one for a key of 10 s. In milliseconds. */
const maxResponseMs = 22_000;

/**
 * Sends a request from an actor to a process, over a network that delays and loses messages.
 * @returns the response; undefined if the client does not get it
 */
function callService(
  world: World,
  client: Actor,
  number: number,
  request: ApiRequest,
): Promise<ApiReply | undefined> {
  const { scheduler, lossShare } = world;
  const { random } = scheduler;
  const delay = () => random.next() ** 2 * 4;
  const isLost = () => random.next() < world.lossShare;
  const { promise, resolve } = Promise.withResolvers<ApiReply | undefined>();
  world.counts.requests += 1;
  scheduler.runIn(client, clientTimeoutMs, () => resolve(undefined));
  if (lossShare > 0 && isLost()) return promise;
  const service = world.processes[number % world.plan.processes];
  if (!service) {
    scheduler.runIn(client, delay(), () => resolve(undefined));
    return promise;
  }
  const { actor } = service;
  scheduler.runIn(actor, delay(), () => {
    const startedAt = scheduler.time();
    let hasResponded = false;
    service.handle(request).then(
      (reply) => {
        hasResponded = true;
        if (!isLost() && actor.isAlive) scheduler.runIn(client, delay(), () => resolve(reply));
      },
      (error: unknown) => violate('every request has a response', String(error)),
    );
    scheduler.runIn(client, maxResponseMs, () => {
      if (!hasResponded && actor.isAlive && actor.stalledUntil < startedAt)
        violate(
          'no request waits longer than its limits allow',
          `${request.method} ${request.url} of ${client.name} has no response from ${actor.name} after ${inSeconds(maxResponseMs)}.`,
        );
    });
  });
  return promise;
}
