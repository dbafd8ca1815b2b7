import type { IncomingMessage, Server } from 'node:http';
import document from '../../generated/openapi.json' with { type: 'json' };
import { keyOf } from '../../scripts/lab/replay/replay-refusals.ts';
import type { RefusedRequest } from '../../scripts/lab/replay/unchecked.ts';
import { once } from '../../scripts/lib/once.ts';
import {
  type CoverageRecorder,
  createCoverageRecorder,
  saveRecording,
} from '../../scripts/testing/coverage/recording.ts';
import type { Exchange, ValidatedResponse } from '../../server/contract/exchange.ts';
import { contractOf } from './documents.ts';

/** Larger bodies are not recorded, in bytes. */
const maxBodyBytes = 65_536;

/** Maximum number of requests of one process: random requests are refused for countless reasons. */
const maxRequests = 2_000;

/** Not 413: the limit on the size of bodies is a setting. */
const recordedStatuses = new Set([400, 415, 422]);

const bodies = new WeakMap<IncomingMessage, Buffer[]>();

/** Keeps the bodies of the requests to a server, without reading them. */
export function rememberBodies(server: Server): Server {
  const remember = (req: IncomingMessage) => {
    const chunks: Buffer[] = [];
    bodies.set(req, chunks);
    const push = req.push.bind(req);
    req.push = (chunk, encoding) => {
      if (chunk instanceof Buffer) chunks.push(Buffer.from(chunk));
      return push(chunk, encoding);
    };
  };
  return server.prependListener('request', remember).prependListener('checkContinue', remember);
}

const refused = new Map<string, RefusedRequest>();

/** Records a request that our validation has refused, one for each operation and set of violations. */
export function recordRefusal(
  { req, operation, input }: Exchange<unknown>,
  { status, payload }: ValidatedResponse,
): void {
  // With an input, the request conforms to the contract, and a rule or a handler has refused it.
  if (!operation || input || !req.complete || !recordedStatuses.has(status)) return;
  const { message, fields } = JSON.parse(String(payload));
  const body = Buffer.concat(bodies.get(req) ?? []);
  if (body.length > maxBodyBytes || refused.size >= maxRequests) return;
  const request: RefusedRequest = {
    operation: operation.id,
    method: req.method ?? '',
    url: req.url ?? '',
    headers: { ...req.headers, authorization: 'Bearer …' },
    body: body.toString(),
    refusal: { status, fields, message },
  };
  if (!refused.has(keyOf(request))) refused.set(keyOf(request), request);
}

/** Returns what this process has recorded so far. */
export const recordedRefusals = (): RefusedRequest[] => [...refused.values()];

/** The names of contract items that this process has covered, across all its test files. */
const reached = new Set<string>();

const recorder = once(() => createCoverageRecorder(contractOf(document), reached));

/** Records what the requests and responses of a tested service cover. */
export const observeService: CoverageRecorder['observe'] = (...seen) => recorder().observe(...seen);

const written = { refused: 0, reached: 0 };

/** Writes what this process has recorded so far. Called after each test file, because the process may run several. */
export function keepRecordings(): void {
  for (const [kind, recorded] of [
    ['refused', refused],
    ['reached', reached],
  ] as const) {
    if (recorded.size === written[kind]) continue;
    written[kind] = recorded.size;
    saveRecording(kind, recorded.values());
  }
}
