import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalid, type Problem, type Refusal, Refused } from '../errors.ts';
import { authorize, isPublic } from './authorize.ts';
import { judgeOf } from './eov/validator.ts';
import { type Explain, failure, type ReportFault } from './error-response.ts';
import type { CheckedAnswer, CheckedInput, Exchange, GivenAnswer } from './exchange.ts';
import type { ContractDocument, JudgedOperation, Security } from './operation.ts';
import { crowded } from './overload-response.ts';
import { refuseMalformedUrl } from './parameters.ts';
import { hasReadableBody, noBody, readBody } from './read-body.ts';
import { requestIdFrom } from './request-id.ts';
import { type Destination, routesOf } from './router.ts';
import { send } from './send-response.ts';
import { checkRequest } from './validate-request.ts';
import { checkAnswer, type EntityTag } from './validate-response.ts';

/** Who asks, and what for, before anything else is known. */
export interface Credentials {
  headers: IncomingMessage['headers'];
  url: string;
  /** The peer's address. Not a getter: each of those would make a shape of its own, for which garbage is collected slowly. */
  address: () => string;
  /** What is asked for, where the contract knows it. */
  operation: string | undefined;
}

export interface Admission<Caller> {
  caller: Caller;
  scopes: ReadonlySet<string>;
  /** For every answer to this request: how the caller's limit stands, say. */
  headers: Record<string, string>;
}

export interface PipelineOptions<Caller> {
  /** The bundled contract. */
  document: ContractDocument;
  /** Throws `Refused` where the credentials do not hold. */
  authenticate: (credentials: Credentials) => Promise<Admission<Caller>>;
  /** Who calls, where proxies stand between; whoever is at the other end of the connection unless something else is given. */
  addressOf?: (req: IncomingMessage) => string;
  /** Turns requests away where more come than can be answered. */
  door?: Door<Caller>;
  /** Rules that a schema cannot state and that need no stored data, by operation. */
  checks?: Readonly<Record<string, (input: CheckedInput) => Problem[]>>;
  answer: (
    operation: JudgedOperation,
    input: CheckedInput & { caller: Caller | undefined; requestId: string },
    request: IncomingMessage,
  ) => Promise<GivenAnswer | Refusal>;
  /** Makes the ETag of an answer where one is documented and none was given. */
  entityTag?: EntityTag;
  explain?: Explain;
  onFault?: ReportFault;
  onAnswered?: (record: AnsweredRequest<Caller>) => void;
  /** Shown every exchange, with what people wrote in it: for tests that note what they have reached. */
  observe?: ((exchange: Exchange<Caller>, answer: CheckedAnswer) => void) | undefined;
  /** The largest body, in bytes (D04). */
  bodyLimit?: number;
}

/** What says of each request whether there is room for it; where there is none it gets 503. */
export interface Door<Caller> {
  /** Where it has arrived whole. Each that may begin ends, too, by the same caller. */
  begin(caller: Caller | undefined): boolean;
  end(caller: Caller | undefined): void;
}

/** What the log may know of a request. */
export interface AnsweredRequest<Caller> {
  requestId: string;
  operation: string | undefined;
  method: string;
  status: number;
  durationMs: number;
  caller: Caller | undefined;
}

/**
 * Takes requests from arrival to answer, for whichever contract it is given.
 * @returns a handler of everything that comes, to be mounted at the root
 */
export async function createPipeline<Caller>(
  options: PipelineOptions<Caller>,
): Promise<(req: IncomingMessage, res: ServerResponse) => Promise<void>> {
  const { document, onAnswered = () => {}, onFault = () => {}, explain = () => undefined } = options;
  const operations = await judgeOf(document);
  const anySecured = operations.some((operation) => !isPublic(operation.security));

  const destinationOf = routesOf(operations);

  return async (req, res) => {
    const destination = destinationOf(req);
    const exchange: Exchange<Caller> = {
      req,
      res,
      requestId: requestIdFrom(req.headers['x-request-id']),
      startedAt: performance.now(),
      operation: destination.operation,
      caller: undefined,
      asked: false,
      input: undefined,
      headers: { ...destination.operation?.lifecycle },
    };
    exchange.headers['X-Request-Id'] = exchange.requestId;
    const answer = await travel(exchange, destination, anySecured, options).catch((error: unknown) =>
      failure(error, exchange, explain, onFault),
    );
    const { requestId, operation } = exchange;
    try {
      send(req, res, answer);
      options.observe?.(exchange, answer);
      onAnswered({
        requestId,
        operation: operation?.id,
        method: req.method ?? '',
        status: answer.status,
        durationMs: performance.now() - exchange.startedAt,
        caller: exchange.caller,
      });
    } catch (error) {
      // There is no other answer any more; whoever waits for one is not left waiting.
      if (!res.writableEnded) res.destroy();
      onFault({ requestId, operation: operation?.id, error });
    }
  };
}

/** Strangers first (D29): the token is judged before the path, the path before the scope, all of them before the body. */
async function travel<Caller>(
  exchange: Exchange<Caller>,
  { operation, path, refused }: Destination,
  anySecured: boolean,
  {
    authenticate,
    addressOf = peerOf,
    door,
    checks = {},
    answer,
    entityTag,
    bodyLimit = 1_048_576,
  }: PipelineOptions<Caller>,
) {
  const { req, res, requestId } = exchange;
  const security: Security = operation?.security ?? (anySecured ? [{ any: [] }] : []);
  const admission = isPublic(security) ? undefined : await authenticate(credentialsOf(exchange, addressOf));
  exchange.caller = admission?.caller;
  Object.assign(exchange.headers, admission?.headers);

  refuseMalformedUrl(req.url ?? '/');
  if (!operation) throw new Refused(refused);
  authorize(security, admission?.scopes ?? new Set());

  const body = hasReadableBody(req, operation) ? await readBody(req, res, operation, bodyLimit) : noBody;
  const input = checkRequest(operation, req, path, body);
  exchange.input = input;
  const problems = checks[operation.id]?.(input) ?? [];
  if (problems.length > 0) throw new Refused(invalid(problems));

  if (door?.begin(exchange.caller) === false) throw new Refused(crowded);
  exchange.asked = true;
  let given: GivenAnswer | Refusal;
  try {
    given = await answer(operation, { ...input, caller: exchange.caller, requestId }, req);
  } finally {
    door?.end(exchange.caller);
  }
  if ('refused' in given) throw new Refused(given);
  return checkAnswer(operation, given, exchange.headers, entityTag);
}

function credentialsOf(
  { req, operation }: Exchange<unknown>,
  addressOf: (req: IncomingMessage) => string,
): Credentials {
  // Node keeps it once it was asked, also for when the peer has gone.
  peerOf(req);
  return {
    headers: req.headers,
    url: req.url ?? '/',
    address: () => addressOf(req),
    operation: operation?.id,
  };
}

const peerOf = (req: IncomingMessage): string => req.socket.remoteAddress ?? '';
