import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecrets } from '../../../server/security/secrets/encryption.ts';
import type { Store } from '../../../server/storage/store.ts';
import { listenLocally } from '../../lib/local-server.ts';
import { createPrng } from '../../lib/prng.ts';
import { checkEnd, listWaiting, type Query } from '../../simulate/checks.ts';
import { runClient } from '../../simulate/clients.ts';
import { createCompany, type SimulatedCompany } from '../../simulate/create-company.ts';
import { createModel, type Model } from '../../simulate/model.ts';
import { createOperator } from '../../simulate/operator.ts';
import { createOperation, type Operation, type OperatorStep, tokensPerCompany } from '../../simulate/plan.ts';
import type { ApiReply, ApiRequest } from '../../simulate/service-process.ts';
import { firstViolation, recordViolation, resetViolation, Violation } from '../../simulate/violation.ts';

interface ActorsOptions {
  /** The database, as the operator uses it. */
  store: Store;
  /** Returns the URLs of the API processes. */
  bases: () => readonly string[];
  /** Runs a query on what is committed, also after a failover. */
  query: Query;
  /** The key of the service, in Base64. */
  secretKey: string;
  clients: number;
  seed: number;
  /** The response time of the webhook receiver, in milliseconds. */
  answerMs?: number | undefined;
}

const companyCount = 2;
/** Maximum pause between two requests of a client, in milliseconds. */
const pauseMs = 10;
/** Maximum pause between two commands of the operator, in milliseconds. */
const commandPauseMs = 400;
const drainMs = 120_000;

/**
 * Starts the clients and the operator of the simulator against real processes. What they find is checked in the same way,
 * but the order is that of the machine.
 */
export async function startActors({
  store,
  bases,
  query,
  secretKey,
  clients,
  seed,
  answerMs = 2,
}: ActorsOptions) {
  resetViolation();
  const random = createPrng(seed);
  const model = createModel();
  const statuses: number[] = [];
  const receiver = await startRecordingReceiver(model, answerMs);
  const call = createApiCaller(bases, statuses);
  const companies: SimulatedCompany[] = [];
  for (let index = 0; index < companyCount; index += 1)
    companies.push(await createCompany(store, call, () => receiver.url));
  const world = {
    ...{ model, companies, random, call, store, query, note: () => {} },
    time: () => performance.now(),
    pause: (ms: number) => wait(ms),
    secrets: createSecrets(Buffer.from(secretKey, 'base64')),
    inFlight: new Set<never>(),
    isDisturbed: () => true,
    hasClockMoved: false,
  };
  const operator = createOperator(world);
  let isOver = false;
  const goesOn = () => !isOver && firstViolation() === undefined;

  function* operations(company: number): Generator<Operation> {
    while (goesOn()) {
      const operation = createOperation(random);
      if (operation.kind !== 'walk') yield operation;
      else {
        // From two to five pages, regardless of how many contacts a machine creates.
        const perPage = Math.ceil((model.known(company).length + 1) / (operation.perPage + 1));
        yield { ...operation, perPage: Math.min(100, perPage) };
      }
    }
  }

  async function runOperator(): Promise<void> {
    // Most tokens must remain, so one is revoked.
    const kinds: OperatorStep['kind'][] = ['revoke'];
    while (goesOn()) {
      await wait(random.below(commandPauseMs));
      const kind = kinds.pop() ?? random.oneOf(['erase', 'erase', 'disable', 'enable', 'rotate']);
      await operator.run({
        kind,
        company: random.below(companyCount),
        pick: random.below(1_000),
        afterMs: 0,
      });
    }
  }

  const acting = [
    runOperator(),
    ...Array.from({ length: clients }, (_none, number) => {
      const [token, company] = [number % tokensPerCompany, number % companyCount];
      const plan = { company, token, pauseMs, operations: operations(company) };
      return runClient(world, plan, number);
    }),
  ].map((running) => running.catch(unlessViolation));

  /** Stops all actors after their current work. */
  async function stop(): Promise<void> {
    isOver = true;
    await Promise.all(acting);
  }

  return {
    statuses,
    receiver,
    stop,
    async close(): Promise<void> {
      await stop();
      receiver.close();
    },
    /** Waits until all deliveries are sent, and checks everything. @returns the number of acknowledged contacts, and the first violation */
    async check() {
      await operator.enableAll();
      const end = performance.now() + drainMs;
      let waiting = await listWaiting(query);
      for (; waiting.length > 0 && performance.now() < end; waiting = await listWaiting(query))
        await wait(50);
      if (waiting.length > 0)
        recordViolation('the queue drains', `Not sent in time: ${waiting.slice(0, 9).join(', ')}.`);
      else await checkEnd({ model, query }, receiver.arrivals).catch(unlessViolation);
      const acknowledged = [...model.contacts.values()].filter(({ id }) => id !== undefined).length;
      return { acknowledged, violation: firstViolation() };
    },
  };
}

function unlessViolation(error: unknown): void {
  if (!(error instanceof Violation)) throw error;
}

// The timeout of a typical proxy.
const timeoutMs = 30_000;

/**
 * Creates a function that sends requests to each process in turn.
 * @param bases returns the URLs of the processes
 * @param statuses gets the status code of each response, and 0 for a request without one
 */
function createApiCaller(bases: () => readonly string[], statuses: number[]) {
  let turn = 0;
  return async ({ method, url, token, headers, body }: ApiRequest): Promise<ApiReply | undefined> => {
    const all = bases();
    turn += 1;
    try {
      const response = await fetch(new URL(url, all[turn % all.length]), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      statuses.push(response.status);
      const [ETag, Link, total] = ['etag', 'link', 'x-total-count'].map((name) => response.headers.get(name));
      return { status: response.status, headers: { ETag, Link, 'X-Total-Count': total }, text };
    } catch {
      statuses.push(0);
      return undefined;
    }
  };
}

/** Starts a webhook receiver that records every event, and checks what must not leave the service. */
async function startRecordingReceiver(model: Model, answerMs: number) {
  const arrivals = new Map<string, { isSuccess: boolean }[]>();
  let underWay = 0;
  const server = createServer(async (req, res) => {
    underWay += 1;
    const [, webhook, sequence] = String(req.headers['webhook-id']).split('_');
    for (const { marker, erasure } of model.contactsIn(await text(req)))
      if (erasure === 'acknowledged')
        recordViolation('nothing of an erased contact leaves', `Webhook ${webhook} gets ${marker}.`);
    const name = `${webhook}:${sequence}`;
    arrivals.set(name, [...(arrivals.get(name) ?? []), { isSuccess: true }]);
    setTimeout(() => {
      underWay -= 1;
      res.end();
    }, answerMs);
  });
  const { url, close } = await listenLocally(server);
  return {
    arrivals,
    /** Returns the number of requests that have no response yet. */
    underWay: () => underWay,
    url: `${url}/`,
    close,
  };
}
