import { createLabEnvironment } from '../environment.ts';
import { createTenant, reportsUsage, usageOf } from '../service.ts';
import { type RawResponse, sendBytes } from './raw-socket.ts';

/** The data that requests need: a token with all scopes, and the ID of a conversation. */
export interface FuzzTarget {
  token: string;
  conversationId: number;
}

/** A request, possibly malformed. */
export interface FuzzInput {
  /** The bytes, as Latin-1. */
  bytes: string;
  /** The accepted statuses; `none` is a closed connection without a response. */
  right: readonly (number | 'none')[];
  /** If the request succeeds, the property `name` of the resource in its `Location` header must equal `text`. */
  stored?: { name: string; text: string } | undefined;
}

/** Formats an HTTP/1.1 request with the correct Content-Length. @param line the method and the path */
export function rawRequest(
  line: string,
  { token, headers = [], body }: { token: string; headers?: readonly string[]; body?: string | undefined },
): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  return [
    `${line} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    ...headers,
    ...length,
    '',
    body ?? '',
  ].join('\r\n');
}

/** Encodes text in UTF-8. @returns each byte as one Latin-1 character */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

export const asJson = 'Content-Type: application/json';

/** Starts the service that is fuzzed, on a temporary database. */
export async function startTargetService() {
  const environment = createLabEnvironment(undefined);
  try {
    const { child, url } = await environment.start([...reportsUsage, 'server/main.ts', '--empty'], {
      core: 'any',
      settings: { BENCH_REPORT: 'heap' },
    });
    const { token, importRecords } = await createTenant(environment);
    await importRecords([
      { kind: 'contact', key: 'c', first_name: 'Ada' },
      { kind: 'conversation', key: 't', contact: 'c', service: 'mail' },
    ]);
    const target: FuzzTarget = { token, conversationId: 1 };
    return {
      port: Number(new URL(url).port),
      target,
      /** Whether the service is still running. */
      lives: () => child.exitCode === null && child.signalCode === null,
      /** Returns the size of the heap in bytes. */
      heap: async () => (await usageOf(child)).memory,
      close: environment.close,
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/** The outcome of the requests. */
interface FuzzResult {
  /** Number of stored texts that were read back unchanged. */
  readBack: number;
  /** The first failures, at most `maxWrong`, with the bytes of each request. */
  wrong: { why: string; bytes: string }[];
}

const maxWrong = 10;
const atOnce = 8;

/** Sends requests, some of them at the same time, and checks the responses. */
export async function sendInputs(
  inputs: Iterable<FuzzInput>,
  { port, token }: { port: number; token: string },
): Promise<FuzzResult> {
  const result: FuzzResult = { readBack: 0, wrong: [] };
  const left = inputs[Symbol.iterator]();
  const sendInTurn = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      const why = await failureOf(next.value, port, token, result);
      if (why && result.wrong.length < maxWrong)
        result.wrong.push({ why, bytes: next.value.bytes.slice(0, 2_000) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendInTurn));
  return result;
}

/** Sends one request. @returns the failure; undefined if the response is correct */
async function failureOf(
  { bytes, right, stored }: FuzzInput,
  port: number,
  token: string,
  result: FuzzResult,
): Promise<string | undefined> {
  const response = await sendBytes(port, bytes);
  if (response.hung) return 'The service neither responded nor closed the connection.';
  if (!right.includes(response.status)) return `The service returned ${response.status}.`;
  if (response.status === 'none' || response.status >= 400) return broken(response);
  if (!stored) return undefined;
  const found = await sendBytes(port, rawRequest(`GET ${response.headers.location}`, { token }), true);
  if (found.status !== 200) return `The created resource cannot be read: ${found.status}.`;
  const { [stored.name]: text }: Record<string, unknown> = JSON.parse(found.body);
  if (text !== stored.text) return 'The text was changed.';
  result.readBack += 1;
  return undefined;
}

/** Checks that an error response has the format of the API and a code that matches the status. */
function broken({ status, headers, body }: RawResponse): string | undefined {
  // The portal returns its error responses as pages, or as text if it is not built.
  if (status === 'none' || headers['content-type']?.startsWith('text/')) return undefined;
  if (!headers['content-type']?.startsWith('application/json'))
    return `The body is not JSON: ${body.slice(0, 200)}`;
  const { code }: { code?: unknown } = JSON.parse(body);
  return typeof code === 'number' && Math.floor(code / 100) === status
    ? undefined
    : `The error code does not match the status: ${body.slice(0, 200)}`;
}
