import type { IncomingMessage, Server } from 'node:http';
import type { RefusedRequest } from '../../scripts/lab/replay/refused-requests.ts';
import { keyOf } from '../../scripts/lab/replay/replay-refusals.ts';
import { saveRecording } from '../../scripts/testing/coverage/recording.ts';
import type { Exchange, ValidatedResponse } from '../../server/contract/exchange.ts';

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
let written = 0;

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

/** Writes what this process has recorded so far. */
export function keepRefusals(): void {
  if (refused.size === written) return;
  written = refused.size;
  saveRecording('refused', recordedRefusals());
}
