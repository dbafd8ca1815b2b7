import type { HttpResponse, SendRequest } from '../requests/send.ts';
import type { SerializedRequest, TestCase } from '../requests/serialize.ts';
import type { Destruction } from './destructive-operations.ts';

/** A request with its test case, and its response, if there was one. */
export interface SentRequest {
  attempt: TestCase;
  wire: SerializedRequest;
  response: HttpResponse | undefined;
}

/** Why nothing can be tested any more, and the request after which it is so. */
export interface EarlyEnd {
  lost: 'credentials' | 'service';
  by: SentRequest;
  /** Whether the operation is described so that this is what it does. */
  isExpected: boolean;
  detail: string;
}

export interface ServiceWatch {
  /**
   * Looks at the result of a request.
   * @param hasCredentials whether it was sent with the credentials of its operation
   * @param error set if there was no response
   * @returns the loss, if the service does not respond any more, or refuses the credentials
   */
  observe(sent: SentRequest, hasCredentials: boolean, error?: Error): Promise<EarlyEnd | undefined>;
}

/** Maximum number of requests among which the cause is searched. */
const maxSuspects = 50;

/** Statuses of a request that the service has not executed. Some services validate requests before credentials. */
const unexecuted = [400, 401, 403, 405, 415, 422, 429];

/**
 * Creates an observer that detects that the service has stopped, or that it refuses the credentials which it accepted.
 * @param destructionBy returns what an operation destroys
 */
export function createServiceWatch(
  send: SendRequest,
  destructionBy: (operation: string) => Destruction | undefined,
): ServiceWatch {
  /** A request that was accepted with the credentials of each `security`, a GET if any. It is repeated to check them. */
  const probes = new Map<string, SerializedRequest>();
  /** The newest requests that were not refused, the last one at the end. */
  let executed: SentRequest[] = [];
  let last: SentRequest | undefined;
  /** Operations that the service refuses although the credentials work, such as those of another role. */
  const refused = new Set<string>();
  const destroys = ({ attempt, response }: SentRequest) =>
    response && response.status < 400 ? destructionBy(attempt.request.operation.id) : undefined;

  async function credentialsEnd(sent: SentRequest): Promise<EarlyEnd | undefined> {
    const { id } = sent.attempt.request.operation;
    const security = securityOf(sent);
    const probe = probes.get(security);
    if (!probe || refused.has(id)) return undefined;
    const response = await send(probe).catch(() => undefined);
    if (!response) return undefined;
    if (!isRefusal(response.status)) {
      if (!sent.attempt.wrong) refused.add(id);
      return undefined;
    }
    const accepted = executed.findLastIndex((each) => isAccepted(each) && securityOf(each) === security);
    const suspects = executed.slice(Math.max(accepted, 0));
    const by =
      suspects.findLast((each) => destroys(each) && securityOf(each) === security) ??
      suspects.findLast(destroys) ??
      suspects.findLast(({ response: own }) => !unexecuted.includes(own?.status ?? 0)) ??
      suspects.at(-1);
    if (!by) return undefined;
    const detail = `${probe.method} ${probe.target} was accepted with them before, and now gets ${response.status}`;
    return { lost: 'credentials', by, isExpected: destroys(by) !== undefined, detail };
  }

  async function serviceEnd(sent: SentRequest, error: Error): Promise<EarlyEnd | undefined> {
    const isThere = await send({ method: 'GET', target: '/', headers: {}, body: undefined }).then(
      () => true,
      () => false,
    );
    if (isThere) return undefined;
    const isExpected = last !== undefined && destroys(last) === 'service';
    const before = last === undefined ? 'none' : `${last.wire.method} ${last.wire.target}`;
    const detail = `${error.message || String(error)}; the request before it: ${before}`;
    return { lost: 'service', by: isExpected && last ? last : sent, isExpected, detail };
  }

  return {
    async observe(sent, hasCredentials, error) {
      if (error) return serviceEnd(sent, error);
      const { response } = sent;
      last = sent;
      if (!response || !hasCredentials) return undefined;
      if (isRefusal(response.status)) return credentialsEnd(sent);
      executed = [...executed, sent].slice(-maxSuspects);
      const security = securityOf(sent);
      if (isAccepted(sent) && !sent.attempt.wrong && probes.get(security)?.method !== 'GET')
        probes.set(security, sent.wire);
      return undefined;
    },
  };
}

const isRefusal = (status: number): boolean => status === 401 || status === 403;

/** Operations with the same `security` are sent with the same credentials. */
const securityOf = ({ attempt }: SentRequest): string =>
  JSON.stringify(attempt.request.operation.securitySchemes);

/** Whether a request was executed with credentials. */
const isAccepted = ({ attempt, response }: SentRequest): boolean =>
  response !== undefined && response.status < 300 && attempt.request.operation.securitySchemes.length > 0;
