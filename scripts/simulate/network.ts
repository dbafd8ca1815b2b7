import type { Actor } from './scheduler.ts';
import type { ApiReply, ApiRequest } from './service-process.ts';
import { inSeconds, violate } from './violation.ts';
import type { World } from './world.ts';

/** Clients give up after this time, in milliseconds. */
const clientTimeoutMs = 30_000;

/** A live process responds within this time: two waits for locks of 5 s, and one for a key of 10 s. In milliseconds. */
const maxResponseMs = 22_000;

/**
 * Sends a request from an actor to a process, over a network that delays and loses messages.
 * @returns the response; undefined if the client does not get it
 */
export function callService(
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
