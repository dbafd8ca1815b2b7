import { createPrng } from '../../lib/prng.ts';
import { type FuzzGenerator, type FuzzInput, type FuzzTarget, rawRequest } from './generator.ts';
import { type RawResponse, sendBytes } from './raw-socket.ts';

/** The result of a generator. */
export interface GeneratorResult {
  name: string;
  what: string;
  attempts: number;
  /** Number of responses by status; `none` for closed connections. */
  statuses: Record<string, number>;
  /** Number of stored texts that were read back unchanged. */
  readBack: number;
  /** The first failures, at most `maxWrong`, with the bytes of each request. */
  wrong: { why: string; bytes: string }[];
}

const maxWrong = 10;
const atOnce = 8;

/**
 * Runs a generator.
 * @param seed the same seed produces the same requests
 */
export async function runGenerator(
  kind: FuzzGenerator,
  { port, target, attempts, seed }: { port: number; target: FuzzTarget; attempts: number; seed: number },
  onProgress: (done: number) => void,
): Promise<GeneratorResult> {
  const prng = createPrng(seed);
  const { name, what } = kind;
  const tried: GeneratorResult = { name, what, attempts: 0, statuses: {}, readBack: 0, wrong: [] };
  const one = async () => {
    while (tried.attempts < attempts) {
      tried.attempts += 1;
      if (tried.attempts % 500 === 0) onProgress(tried.attempts);
      const attempt = kind.attempt(prng, target);
      const why = await tryOnce(attempt, port, target, tried);
      if (why && tried.wrong.length < maxWrong)
        tried.wrong.push({ why, bytes: attempt.bytes.slice(0, 2_000) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return tried;
}

/** Sends one request. @returns the failure; undefined if the response is correct */
async function tryOnce(
  { bytes, right, stored }: FuzzInput,
  port: number,
  target: FuzzTarget,
  tried: GeneratorResult,
): Promise<string | undefined> {
  const response = await sendBytes(port, bytes);
  tried.statuses[response.status] = (tried.statuses[response.status] ?? 0) + 1;
  if (response.hung) return 'The service neither responded nor closed the connection.';
  if (!right.includes(response.status)) return `The service returned ${response.status}.`;
  if (response.status === 'none' || response.status >= 400) return broken(response);
  if (!stored) return undefined;
  const found = await sendBytes(port, rawRequest(`GET ${response.headers.location}`, target), true);
  if (found.status !== 200) return `The created resource cannot be read: ${found.status}.`;
  const { [stored.name]: text }: Record<string, unknown> = JSON.parse(found.body);
  if (text !== stored.text) return 'The text was changed.';
  tried.readBack += 1;
  return undefined;
}

/** Checks that an error response has the format of the API and a code that matches the status. */
function broken({ status, headers, body }: RawResponse): string | undefined {
  // The portal returns its error responses as HTML pages.
  if (status === 'none' || headers['content-type']?.startsWith('text/html')) return undefined;
  if (!headers['content-type']?.startsWith('application/json'))
    return `The body is not JSON: ${body.slice(0, 200)}`;
  const { code }: { code?: unknown } = JSON.parse(body);
  return typeof code === 'number' && Math.floor(code / 100) === status
    ? undefined
    : `The error code does not match the status: ${body.slice(0, 200)}`;
}
