import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { arrayBuffer, text } from 'node:stream/consumers';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { allowLocalCallers, listenLocally } from '../../lib/local-server.ts';
import type { MockScenario, ScenarioInfo } from '../mock/mock-types.ts';
import { assertKnownScenarios } from '../mock/scenarios/scenario-state.ts';
import type { MockModule } from './load-mock.ts';
import {
  headersOf,
  isErrorResponse,
  type ObservedRequest,
  type ReceivedRequest,
  type ReportedResult,
} from './observations.ts';
import { sendOverWire, wireScenarios, withoutRedirect } from './wire-scenarios.ts';

/** A server that speaks a contract, with one scenario at a time. */
export interface ScenarioServer {
  /** Without the base path of the contract. */
  url: string;
  /** All scenarios: those of the mock, and those that need a connection. */
  scenarios: readonly ScenarioInfo[];
  /** Starts a scenario, or the usual responses, and forgets what was observed. @throws Error for an unknown name */
  start: (scenario: MockScenario | undefined) => void;
  observed: () => { requests: readonly ObservedRequest[]; results: readonly ReportedResult[] };
  close: () => void;
}

const maxSent = 2_000;

/**
 * Starts the server. `POST /_scenario` starts a scenario, and `POST /_survived` reports what a client made of a response.
 * @param port 0 takes a free one
 * @param onError called with an error of the server itself
 */
export async function startScenarioServer(
  { createMock, scenarios }: MockModule,
  { port = 0, onError }: { port?: number; onError: (error: unknown) => void },
): Promise<ScenarioServer> {
  const all = [...scenarios, ...wireScenarios];
  const usual = createMock({});
  let running = sessionOf(undefined);
  // One request at a time, so that the last entry of a mock is that of the current request.
  let turn: Promise<unknown> = Promise.resolve();

  function sessionOf(scenario: MockScenario | undefined) {
    const names = scenario ? [scenario.name, ...(scenario.with ?? [])] : [];
    assertKnownScenarios(names, all);
    const [own, ...others] = names.filter((name) => scenarios.some((known) => known.name === name));
    return {
      mock: createMock(own === undefined ? {} : { scenario: { ...scenario, name: own, with: others } }),
      wire: {
        names: new Set(names.filter((name) => wireScenarios.some((known) => known.name === name))),
        operations: scenario?.operations,
      },
      requests: [] as ObservedRequest[],
      results: [] as ReportedResult[],
    };
  }

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const session = running;
    const at = Date.now();
    const received = await receive(req);
    const gone = new AbortController();
    res.on('close', () => gone.abort());
    const request = toRequest(received, gone.signal);
    const handled = turn.then(async () => {
      const usualResponse = await usual.fetch(request.clone());
      const response = await session.mock.fetch(request);
      return { usualResponse, response, seen: session.mock.requests.at(-1) };
    });
    turn = handled.catch(() => {});
    const { usualResponse, response, seen } = await handled;
    const { operation, input } = seen ?? {};
    const { names, operations } = session.wire;
    const isChanged =
      input !== undefined && operation !== undefined && operations?.includes(operation) !== false;
    const wire = isChanged ? names : new Set<string>();
    const entry: ObservedRequest = {
      ...{ received, at, operation },
      key: `${received.method} ${received.url} ${hash('sha256', received.body)}`,
      port: req.socket.remotePort,
      method: request.method,
      url: req.url ?? '/',
      isRepeatable:
        request.method !== 'POST' && request.method !== 'PATCH'
          ? true
          : request.headers.has('idempotency-key'),
      isValid: input !== undefined,
      status: response.status,
      headers: headersOf(response),
      sent: '',
      body: undefined,
      usualBody: jsonOf(await usualResponse.text()),
    };
    session.requests.push(entry);
    const sent = await sendOverWire(req, res, response, wire, (soFar) => {
      entry.sent = soFar.slice(0, maxSent);
    });
    entry.body = sent === undefined || isErrorResponse(entry) ? undefined : jsonOf(sent);
  }

  const admit = allowLocalCallers();
  const server = createServer((req, res) => admit(req, res, () => dispatch(req, res)));
  function dispatch(req: IncomingMessage, res: ServerResponse): void {
    const handle = req.method === 'POST' ? controls[req.url ?? ''] : undefined;
    (handle ? control(handle, req, res) : respond(req, res)).catch((error: unknown) => {
      if (!res.destroyed) res.destroy();
      if (!req.destroyed) onError(error);
    });
  }
  const start = (scenario: MockScenario | undefined) => {
    running = sessionOf(scenario);
  };
  const controls: Record<string, (body: Record<string, unknown>) => void> = {
    '/_scenario': (body) => start(selectionIn(body)),
    '/_survived': (body) => {
      running.results.push(resultIn(body, running.requests.length));
    },
  };
  return {
    ...(await listenLocally(server, port)),
    scenarios: all,
    start,
    observed: () => ({ requests: running.requests, results: running.results }),
  };
}

async function control(
  handle: (body: Record<string, unknown>) => void,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const body = jsonOf(await text(req));
  try {
    if (typeof body !== 'object' || body === null) throw new Error('Send a JSON object.');
    handle(Object.fromEntries(Object.entries(body)));
    res.writeHead(204).end();
  } catch (error) {
    const message = errorMessage(error);
    res.writeHead(422, { 'Content-Type': 'application/json' }).end(JSON.stringify({ message }));
  }
}

function selectionIn({ scenario, operations, locations }: Record<string, unknown>): MockScenario | undefined {
  if (scenario === null) return undefined;
  if (typeof scenario !== 'string')
    throw new Error(
      'Send JSON such as {"scenario": "nulls"}, or {"scenario": null} for the usual responses.',
    );
  return { name: scenario, operations: textsIn(operations), locations: textsIn(locations) };
}

const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.map(String) : undefined;

function resultIn(body: Record<string, unknown>, after: number): ReportedResult {
  const { value, error, complete } = body;
  const isComplete = complete === true;
  if (typeof error !== 'object' || error === null) return { after, value, isComplete };
  const { name, message, ...details }: Record<string, unknown> = { ...error };
  return { after, isComplete, error: { name: String(name), message: String(message), details } };
}

/** Parses JSON. Integers that a number of JavaScript cannot represent become texts, as clients that keep them return them. */
function jsonOf(json: string): unknown {
  try {
    return JSON.parse(json, (_name, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? (context?.source ?? value)
        : value,
    );
  } catch {
    return undefined;
  }
}

async function receive(req: IncomingMessage): Promise<ReceivedRequest> {
  const { method = 'GET', url = '/', headers } = req;
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || hopByHop.has(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  return {
    method,
    url: withoutRedirect(url),
    headers: entries,
    body: new Uint8Array(await arrayBuffer(req)),
  };
}

/** Converts a request to the form of `fetch`. @param signal aborts when the client closes the connection */
export const toRequest = ({ method, url, headers, body }: ReceivedRequest, signal?: AbortSignal): Request =>
  new Request(new URL(url, 'http://mock'), {
    method,
    headers: [...headers],
    ...(signal ? { signal } : {}),
    ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' ? { body } : {}),
  });

/** Headers of the connection, which `fetch` does not allow. */
const hopByHop = new Set([
  'connection',
  'host',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
  'upgrade',
]);
