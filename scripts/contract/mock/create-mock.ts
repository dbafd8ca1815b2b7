import type { ErrorResponse } from '../../../server/contract/errors.ts';
import type { HandlerResponse } from '../../../server/contract/exchange.ts';
import type { TableOf } from '../../../server/contract/handler-types.ts';
import { createFetchPipeline } from '../../../server/http/fetch/fetch-handler.ts';
import { requestHeadOf, toResponse } from '../../../server/http/fetch/fetch-source.ts';
import { exampleOfStatus, exampleResponse } from './example-response.ts';
import type { MockContract } from './mock-contract.ts';
import { mockOptions, type ResponseSource } from './mock-options.ts';
import type { Mock, MockOptions, MockRequest } from './mock-types.ts';
import { ignoredPreferences, mockPreferences, preferOf, waitSecondsIn } from './prefer.ts';
import { scenariosOf } from './scenarios/catalog.ts';
import type { Delivery } from './scenarios/scenario.ts';
import { createScenarioState, type ScenarioState } from './scenarios/scenario-state.ts';

// The pipeline has validated the input against the contract, from which the exact types are generated.
type AnyOverride = (
  input: never,
  example: (status?: number) => never,
) => HandlerResponse | ErrorResponse | Promise<HandlerResponse | ErrorResponse>;

/**
 * Creates a mock that runs in the page or test that uses it, without a server.
 * @param contract the contract that `generate` has compiled
 * @returns the mock. Its `fetch` never rejects, except if the request is aborted or is no valid request
 */
export function createMock<Types, Table extends TableOf<Types>>(
  contract: MockContract,
  { overrides: initial = {}, token, delayMs = 0, scenario }: MockOptions<Types, Table> = {},
): Mock<Types, Table> {
  const scenarios = createScenarioState(
    scenariosOf(contract),
    typeof scenario === 'string' ? { name: scenario } : scenario,
    contract.promises,
  );
  const requests: MockRequest[] = [];
  const problems: string[] = [];
  let overrides = new Map(overridesIn(initial));

  const source: ResponseSource = (operation, input, request) => {
    const example = (status?: number) =>
      status === undefined
        ? exampleResponse(contract, operation, input, request)
        : exampleOfStatus(contract, operation, input, { ...request, status });
    const override = overrides.get(operation.id);
    return override ? override(input as never, example as (status?: number) => never) : example();
  };
  const handle = createFetchPipeline(mockOptions(contract, source));

  return {
    requests,
    async fetch(given, init) {
      const request = toRequest(given, init);
      const { method, signal } = request;
      signal.throwIfAborted();
      const received = await requestHeadOf(request, token);
      const { head } = received;
      let change: ReturnType<ScenarioState['prepare']> = () => undefined;
      const { state, response } = await handle(received, {
        async prepare(operation) {
          if (operation) change = scenarios.prepare(contract.operationOf(operation.id), operation, received);
          const waitMs = delayMs + 1_000 * waitSecondsIn(preferOf(head));
          if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
          signal.throwIfAborted();
        },
        onError: ({ operation, error }) =>
          problems.push(`${operation} (${method} ${head.url}): ${messageOf(error)}`),
      });
      const ignored = ignoredPreferences(
        request.headers.get('prefer') ?? '',
        mockPreferences,
        response.headers['Preference-Applied'],
      );
      if (ignored.length > 0) response.headers['Mock-Ignored-Preferences'] = ignored.join(', ');
      const changed = state.handlerCalled ? change(response) : undefined;
      requests.push({
        operation: state.operation?.id,
        method,
        url: head.url ?? '',
        status: (changed ?? response).status,
        input: state.input,
        ...(changed ? { changed: changed.changed } : {}),
      });
      const delivery = changed?.delivery;
      return toResponse(changed ?? response, method, (body) =>
        delivery === undefined ? body : deliver(body, delivery, signal),
      );
    },
    override: (added) => {
      overrides = new Map([...overrides, ...overridesIn(added)]);
    },
    verify() {
      if (problems.length === 0) return;
      const noun = problems.length === 1 ? 'response' : 'responses';
      throw new Error([`The mock has sent ${problems.length} invalid ${noun}:`, ...problems].join('\n  '));
    },
    reset() {
      requests.length = 0;
      problems.length = 0;
      overrides = new Map(overridesIn(initial));
      scenarios.reset();
    },
  };
}

const overridesIn = (overrides: object): [string, AnyOverride][] => Object.entries(overrides);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A relative URL needs a base outside of pages. */
const toRequest = (given: Request | string | URL, init: RequestInit | undefined): Request =>
  given instanceof Request && init === undefined
    ? given
    : new Request(
        given instanceof Request ? given : new URL(given, globalThis.location?.href ?? 'http://mock/'),
        init,
      );

/** The pauses between two chunks. Without one, a client may get several of them at once. */
const pausesMs = { chunks: 2, slow: 500 };

const maxChunks = 32;

/** Splits a body into chunks. Some of them end inside of a character, if it has characters of several bytes. */
function chunksOf(bytes: Uint8Array, delivery: Delivery): Uint8Array[] {
  const length = Math.ceil(bytes.length / (delivery === 'chunks' ? maxChunks : 2));
  const isInside = (index: number) => ((bytes[index] ?? 0) & 0xc0) === 0x80;
  const inside = delivery === 'chunks' ? Array.from(bytes, (_, index) => index).filter(isInside) : [];
  const ends = [
    ...Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => (index + 1) * length),
    ...inside.slice(0, maxChunks),
  ].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

/**
 * Returns a body that arrives in a certain way.
 * @param signal ends a body that would not end by itself
 */
function deliver(
  payload: string | Uint8Array,
  delivery: Delivery,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
  const chunks = chunksOf(bytes, delivery);
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    async pull(controller) {
      const chunk = chunks[sent];
      if (sent > 0 && delivery === 'cut')
        return controller.error(new TypeError('The connection ended in the middle of the body.'));
      if (sent > 0 && delivery === 'endless') return new Promise<void>(() => {});
      if (chunk === undefined) return controller.close();
      if (sent > 0 && (delivery === 'slow' || delivery === 'chunks'))
        await new Promise((resolve) => setTimeout(resolve, pausesMs[delivery]));
      sent += 1;
      controller.enqueue(chunk);
    },
  });
}
