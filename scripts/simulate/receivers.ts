import type { Attempt } from '../../server/delivery/attempt.ts';
import type { WebhookRequest } from '../../server/delivery/webhook-request.ts';
import { webhookRequestTimeoutMs } from '../../server/storage/queue-types.ts';
import type { SentEvent } from './model.ts';
import type { ReceiverKind } from './plan.ts';
import type { Actor } from './scheduler.ts';
import { deliveryLimits } from './service-process.ts';
import { inSeconds, violate } from './violation.ts';
import type { Sent, World } from './world.ts';

/** The response of a receiver: a status, or none, after some milliseconds. */
interface Behavior {
  afterMs: number;
  status: number | undefined;
}

/** A request that a receiver got. */
interface Arrival {
  at: number;
  process: Actor;
  /** Whether the worker got 2xx. */
  isSuccess: boolean;
}

/** Maximum time until the first attempt, if only deliveries of other companies can delay it, in milliseconds. */
const maxQuietMs = 1_500;

/** Creates the receivers, and the network between the workers and them. */
export function createReceivers(world: World) {
  const { scheduler, model } = world;
  const { random } = scheduler;
  /** The times at which a delivery has arrived. */
  const arrivals = new Map<string, Arrival[]>();
  /** The highest sequence of the first attempts, by webhook and entity. */
  const order = new Map<string, number>();
  /** The webhooks of the template, with their company and kind. */
  const known = new Map(
    world.companies.flatMap(({ webhooks }, company) =>
      webhooks.map(
        (id, index) => [id, { company, kind: world.plan.receivers[company]?.[index] ?? 'fast' }] as const,
      ),
    ),
  );

  /** Companies whose deliveries wait only for those of other companies. */
  const quietCompanies = new Set(
    world.plan.receivers.flatMap((kinds, company) =>
      world.plan.faults.length === 0 &&
      kinds.every((kind) => kind === 'fast') &&
      !world.plan.operator.some((step) => step.company === company)
        ? [company]
        : [],
    ),
  );

  function behaviorOf(kind: ReceiverKind, attempts: number): Behavior {
    const fast = { afterMs: 1 + random.next() * 20, status: 200 };
    if (world.isHealed || kind === 'fast') return fast;
    // It responds shortly before its requests count as slow.
    if (kind === 'late') return { afterMs: 200, status: 200 };
    if (kind === 'slow') return { afterMs: 300 + random.next() * 9_000, status: 200 };
    if (attempts > 1) return fast;
    if (kind === 'hanging') return { afterMs: Number.POSITIVE_INFINITY, status: undefined };
    return { afterMs: 5, status: random.next() < 0.5 ? undefined : kind === 'failing' ? 500 : 302 };
  }

  /** Checks a request when its first byte leaves. @param checkedAt when the worker began to check its claim */
  function noteFirstByte(sent: Sent, event: SentEvent, checkedAt: number): Behavior & { arrival: Arrival } {
    const { webhook, sequence, entity, body, process, company, at } = sent;
    const name = `${webhook}:${sequence}`;
    world.counts.deliveries += 1;
    const before = arrivals.get(name) ?? [];
    world.note(
      `sends ${event.type} of ${entity} to webhook ${webhook} as delivery ${name}, attempt ${before.length + 1}`,
    );
    for (const contact of model.contactsIn(body)) {
      if (contact.erasure === 'acknowledged')
        violate(
          'nothing of an erased contact leaves',
          `${process.name} sends ${contact.marker} in delivery ${name}, although its erasure was acknowledged at ${inSeconds(contact.erasedAt)}.`,
        );
      if (contact.company !== company)
        violate(
          'no company sees data of another',
          `Webhook ${webhook} of company ${company} gets ${contact.marker} of company ${contact.company}.`,
        );
    }
    if (checkedAt > (model.disabledAt.get(webhook) ?? Number.POSITIVE_INFINITY))
      violate(
        'nothing is sent to a disabled webhook',
        `${process.name} sends delivery ${name}, disabled at ${inSeconds(model.disabledAt.get(webhook))}.`,
      );
    for (const other of world.inFlight)
      if (other.webhook === webhook && other.entity === entity && !world.isDisturbed(other.at))
        violate(
          'one delivery of an entity is in flight',
          `${process.name} sends delivery ${name} of ${entity} while ${other.process.name} still sends delivery ${webhook}:${other.sequence} of it.`,
        );
    const success = before.find((each) => each.isSuccess);
    if (success?.process.isAlive && !world.isDisturbed(success.at))
      violate(
        'a delivered event is not sent again',
        `${process.name} sends delivery ${name}, which ${success.process.name} sent at ${inSeconds(success.at)}, with a response of 200.`,
      );
    const ofCompany = [...world.inFlight].filter(
      (each) => each.process === process && each.company === company,
    );
    if (ofCompany.length >= deliveryLimits.perCompany)
      violate(
        'requests in flight stay bounded',
        `${process.name} sends ${ofCompany.length + 1} requests of company ${company} at a time. The limit is ${deliveryLimits.perCompany}.`,
      );
    const queue = `${webhook}:${entity}`;
    const last = order.get(queue) ?? 0;
    if (before.length === 0 && !world.hasClockMoved && last > sequence)
      violate(
        'first attempts are in order per entity',
        `Delivery ${name} follows delivery ${webhook}:${last}.`,
      );
    order.set(queue, Math.max(last, sequence));
    const lateMs = Date.now() - Date.parse(event.timestamp);
    if (before.length === 0 && quietCompanies.has(company) && lateMs > maxQuietMs)
      violate(
        'no company waits for another',
        `Delivery ${name} of company ${company} is sent ${lateMs} ms after its event. The limit is ${maxQuietMs} ms, because its receivers are fast.`,
      );
    const behavior = behaviorOf(known.get(webhook)?.kind ?? 'fast', before.length + 1);
    const arrival = { at, process, isSuccess: false };
    arrivals.set(name, [...before, arrival]);
    return { ...behavior, arrival };
  }

  /** Sends a request of a process, as the sender of the service does. */
  async function send(
    process: Actor,
    { headers, body, mayBeSent }: WebhookRequest,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const at = Date.now();
    const startedAt = scheduler.time();
    if (process.isStopping)
      violate('a process that stops begins no request', `${process.name} begins ${headers['webhook-id']}.`);
    const [, webhook, sequence] = (headers['webhook-id'] ?? '').split('_').map(Number);
    const wait = (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = scheduler.runIn(process, ms, resolve);
        signal.addEventListener('abort', () => {
          timer.isCanceled = true;
          resolve();
        });
      });
    // A process that was suspended may send before it notices that the time is over.
    let isLate = false;
    const timeout = scheduler.runIn(process, webhookRequestTimeoutMs, () => {
      isLate = true;
    });
    const isOver = () => signal.aborted || isLate;
    const attempt = (result: Partial<Attempt>): Attempt => ({
      at,
      ms: scheduler.time() - startedAt,
      ...result,
    });
    await wait(random.next() * 5);
    const checkedAt = scheduler.time();
    process.isChecking = true;
    const mayBegin = mayBeSent === undefined || (await mayBeSent());
    process.isChecking = false;
    if (!mayBegin || isOver()) return attempt({ problem: 'withdrawn' });
    const company = known.get(webhook ?? 0)?.company ?? 0;
    const event: SentEvent = JSON.parse(body ?? '');
    const sent = {
      ...{ process, company, webhook: webhook ?? 0, sequence: sequence ?? 0 },
      entity: model.contactsIn(body ?? '')[0]?.marker ?? '',
      ...{ body: body ?? '', at: startedAt },
    };
    const { afterMs, status, arrival } = noteFirstByte(sent, event, checkedAt);
    world.inFlight.add(sent);
    const hasEnded = afterMs <= startedAt + webhookRequestTimeoutMs - scheduler.time();
    await wait(hasEnded ? afterMs : startedAt + webhookRequestTimeoutMs - scheduler.time());
    world.inFlight.delete(sent);
    for (const contact of model.contactsIn(sent.body)) contact.sentUntil = scheduler.time();
    timeout.isCanceled = true;
    const isTimeout = isOver() || !hasEnded;
    const result = isTimeout ? 'no response in time' : (status ?? 'a connection error');
    world.note(`gets ${result} for delivery ${webhook}:${sequence}`);
    if (isTimeout) return attempt({ problem: 'timeout' });
    arrival.isSuccess = status === 200;
    // The response repeats personal data.
    return attempt(status === undefined ? { problem: 'connection' } : { status, answer: body ?? '' });
  }

  return { send, arrivals };
}
