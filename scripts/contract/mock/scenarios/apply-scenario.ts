import type { RequestHead, ValidatedResponse } from '../../../../server/pipeline/exchange.ts';
import type { FetchState } from '../../../../server/pipeline/fetch-source.ts';
import type { CompiledOperation } from '../../../../server/pipeline/operation.ts';
import { keyOf } from '../example-response.ts';
import type { MockContract } from '../mock-contract.ts';
import type { MockScenario } from '../mock-types.ts';
import { assertKnownScenarios } from './assert-known-scenarios.ts';
import { jsonBody } from './body-scenarios.ts';
import { describeScenarios, scenariosOf } from './catalog.ts';
import { valueAt } from './json-locations.ts';
import type { ResponseContext, Scenario, ScenarioResponse } from './scenario.ts';

/** A scenario of a mock, with the state of its requests. */
export interface RunningScenario {
  /** Fits a request to the scenario, before it is handled. @returns the function that changes the response */
  prepare: (
    operation: CompiledOperation,
    request: { head: RequestHead; body: FetchState['body'] },
  ) => ChangeResponse;
}

/** @returns undefined if the scenario does not apply to the response */
type ChangeResponse = (response: ValidatedResponse) => ScenarioResponse | undefined;

/**
 * Starts a scenario.
 * @throws Error that lists the names, if there is no such scenario
 */
export function startScenario(
  contract: MockContract,
  { name, with: others = [], operations, locations }: MockScenario,
): RunningScenario {
  const names = [name, ...others];
  assertKnownScenarios(names, describeScenarios(contract));
  const scenarios = scenariosOf(contract).filter((each) => names.includes(each.name));
  const compiled = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const requests = new Map<string, number>();
  const usual = new Map<string, unknown>();

  return {
    prepare(operation, request) {
      const { head } = request;
      const own = compiled.get(operation.id);
      if (!own || operations?.includes(operation.id) === false) return () => undefined;
      const earlierRequests = requests.get(operation.id) ?? 0;
      requests.set(operation.id, earlierRequests + 1);
      for (const { statusOf, urlOf, acceptOf, requestBodyOf } of scenarios) {
        const status = statusOf?.(own, earlierRequests);
        const accept = acceptOf?.(own, head.headers.accept);
        if ((statusOf && status === undefined) || (acceptOf && accept === undefined)) return () => undefined;
        if (accept !== undefined) head.headers.accept = accept;
        if (status !== undefined)
          head.headers.prefer = [head.headers.prefer ?? [], `code=${status}`].flat().join(', ');
        if (urlOf) head.url = urlOf(own, head.url ?? '/');
        if (requestBodyOf) request.body = rewritten(request.body, (body) => requestBodyOf(body, usual));
      }
      return (response) => {
        const key = keyOf(own.responses, response.status) ?? 'default';
        const marked = own.locations[key] ?? {};
        const [mediaType = ''] = Object.keys(own.responses[key]?.content ?? {});
        const changed = applyAll(
          scenarios,
          { ...response, changed: [] },
          {
            operation: own,
            locations: marked,
            isValid: (body) => operation.validateBody(key, mediaType, body).length === 0,
            isSelected: (pointer) => locations?.includes(pointer) !== false,
            isPromised: (promise) => contract.promises?.includes(promise) === true,
          },
        );
        const body = jsonBody(response);
        for (const pointer of changed?.changed ?? [])
          usual.set(pointer.slice(pointer.lastIndexOf('/') + 1), valueAt(body, pointer));
        return changed;
      };
    },
  };
}

/** @returns the response with all changes that apply to it; undefined if none does */
function applyAll(
  scenarios: readonly Scenario[],
  response: ScenarioResponse,
  context: ResponseContext,
): ScenarioResponse | undefined {
  let result: ScenarioResponse | undefined;
  for (const { change } of scenarios) {
    const { changed: before = [] } = result ?? {};
    const next = change({ ...(result ?? response), changed: [] }, context);
    if (next) result = { ...next, changed: [...new Set([...before, ...next.changed])] };
  }
  return result;
}

/** Rewrites a JSON body. Other bodies are returned unchanged. */
function rewritten(bytes: FetchState['body'], change: (body: unknown) => unknown): FetchState['body'] {
  try {
    return new TextEncoder().encode(JSON.stringify(change(JSON.parse(new TextDecoder().decode(bytes)))));
  } catch {
    return bytes;
  }
}
