import type { IncomingMessage } from 'node:http';
import { describeFieldErrors } from '../lib/field-error.ts';
import { authorize, isPublic } from './authorize.ts';
import { PipelineError } from './errors.ts';
import type { Exchange, ValidatedInput } from './exchange.ts';
import type { CompiledOperation, Security } from './operation.ts';
import { assertDecodableUrl } from './parameters.ts';
import type { PipelineOptions, RequestCredentials } from './pipeline.ts';
import { hasParsableBody, noBody, readBody } from './read-body.ts';
import type { RouteMatch } from './router.ts';
import { validateRequest } from './validate-request.ts';

type AcceptOptions<Caller> = Pick<
  PipelineOptions<Caller>,
  'authenticate' | 'addressOf' | 'checks' | 'bodyLimit'
>;

/**
 * Decides whether a request is accepted. It authenticates before it reports an unknown path or method, and authorizes
 * before it reads the body (D29).
 * @param anySecured whether any operation of the contract needs credentials
 * @returns the operation and the validated input
 * @throws the error of `authenticate`; PipelineError for every other reason
 */
export async function acceptRequest<Caller>(
  exchange: Exchange<Caller>,
  { operation, path, error }: RouteMatch,
  anySecured: boolean,
  { authenticate, addressOf = peerOf, checks = {}, bodyLimit = 1_048_576 }: AcceptOptions<Caller>,
): Promise<{ operation: CompiledOperation; input: ValidatedInput }> {
  const { req, res } = exchange;
  const security: Security = operation?.security ?? (anySecured ? [{ any: [] }] : []);
  const admission = isPublic(security) ? undefined : await authenticate(credentialsOf(exchange, addressOf));
  exchange.caller = admission?.caller;
  Object.assign(exchange.headers, admission?.headers);

  assertDecodableUrl(req.url ?? '/');
  if (!operation) throw error;
  authorize(security, admission?.scopes ?? new Set());

  const body = hasParsableBody(req, operation) ? await readBody(req, res, operation, bodyLimit) : noBody;
  const input = validateRequest(operation, req, path, body);
  exchange.input = input;
  const problems = checks[operation.id]?.(input) ?? [];
  if (problems.length > 0) throw new PipelineError('validationFailed', describeFieldErrors(problems));
  return { operation, input };
}

function credentialsOf(
  { req, operation }: Exchange<unknown>,
  addressOf: (req: IncomingMessage) => string,
): RequestCredentials {
  // Reads the address now: Node caches it on first access, and cannot return it after the peer has disconnected.
  peerOf(req);
  return {
    headers: req.headers,
    url: req.url ?? '/',
    address: () => addressOf(req),
    operation: operation?.id,
  };
}

const peerOf = (req: IncomingMessage): string => req.socket.remoteAddress ?? '';
