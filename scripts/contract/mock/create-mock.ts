import { isPublic } from '../../../server/pipeline/authorize.ts';
import { documentedErrors } from '../../../server/pipeline/documented-errors.ts';
import { toErrorResponse } from '../../../server/pipeline/error-response.ts';
import type { ErrorResponse } from '../../../server/pipeline/errors.ts';
import type { HandlerResponse } from '../../../server/pipeline/exchange.ts';
import { fetchSource, requestHeadOf, startFetch, toResponse } from '../../../server/pipeline/fetch-source.ts';
import { type HandleOptions, handleRequest } from '../../../server/pipeline/handle-request.ts';
import type { TableOf } from '../../../server/pipeline/handler-types.ts';
import { operationsOf } from '../../../server/pipeline/operations.ts';
import { createPathMatcher } from '../../../server/pipeline/path-matcher.ts';
import { createRouter } from '../../../server/pipeline/router.ts';
import { anyCredentials, mockAuthenticate } from './authenticate.ts';
import { exampleOfStatus, exampleResponse } from './example-response.ts';
import type { MockContract } from './mock-contract.ts';
import type { Mock, MockOptions, MockRequest } from './mock-types.ts';
import { ignoredPreferences, waitSecondsIn } from './prefer.ts';
import { startScenario } from './scenarios/apply-scenario.ts';
import { deliver } from './scenarios/deliver.ts';

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
  const operations = operationsOf(contract);
  const compiled = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const anySecured = operations.some((operation) => !isPublic(operation.security));
  const { errors = documentedErrors, requestRules = {} } = contract.rules;
  // As in Express, unless the contract has rules of its own service.
  const matchOf = createRouter(operations, createPathMatcher(), contract.rules.errors === undefined);
  const scopes = new Set(contract.scopes);
  const start = () =>
    scenario === undefined
      ? undefined
      : startScenario(contract, typeof scenario === 'string' ? { name: scenario } : scenario);
  let running = start();
  const requests: MockRequest[] = [];
  const problems: string[] = [];
  let overrides = new Map(overridesIn(initial));

  const options: HandleOptions<'mock'> = {
    authenticate:
      contract.tokens === 'scoped'
        ? mockAuthenticate(scopes)
        : anyCredentials(
            contract.operations.map(({ id, schemes }) => ({ id, security: schemes })),
            scopes,
          ),
    checks: requestRules,
    async respond({ id }, input, request) {
      const operation = compiled.get(id);
      if (!operation) throw new Error(`The compiled contract has no operation ${id}.`);
      const example = (status?: number) =>
        status === undefined
          ? exampleResponse(contract, operation, input, request)
          : exampleOfStatus(contract, operation, input, { ...request, status });
      const override = overrides.get(id);
      return override ? override(input as never, example as (status?: number) => never) : example();
    },
  };

  return {
    requests,
    async fetch(given, init) {
      const request = toRequest(given, init);
      request.signal.throwIfAborted();
      const received = await requestHeadOf(request, token);
      const { head } = received;
      const prefer = request.headers.get('prefer') ?? '';
      const waitMs = delayMs + 1_000 * waitSecondsIn(prefer);
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      request.signal.throwIfAborted();
      const match = matchOf(head);
      const change = match.operation && running?.prepare(match.operation, received);
      const state = startFetch<'mock'>(head, received.body, match.operation);
      const onError = ({ error }: { error: unknown }) =>
        problems.push(`${state.operation?.id} (${head.method} ${head.url}): ${messageOf(error)}`);
      const response = await handleRequest(state, match, anySecured, options, fetchSource).catch(
        (error: unknown) => toErrorResponse(error, state, { errors, mapError: () => undefined, onError }),
      );
      const ignored = ignoredPreferences(prefer, ownPreferences, response.headers['Preference-Applied']);
      if (ignored.length > 0) response.headers['Mock-Ignored-Preferences'] = ignored.join(', ');
      const changed = state.handlerCalled ? change?.(response) : undefined;
      const { method = '', url = '' } = head;
      requests.push({
        operation: state.operation?.id,
        method,
        url,
        status: (changed ?? response).status,
        input: state.input,
        ...(changed ? { changed: changed.changed } : {}),
      });
      const delivery = changed?.delivery;
      return toResponse(changed ?? response, method, (body) =>
        delivery === undefined ? body : deliver(body, delivery, request.signal),
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
      running = start();
    },
  };
}

const ownPreferences = ['code', 'example', 'wait'];

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
