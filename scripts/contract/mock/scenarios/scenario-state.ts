import type { RequestHead, ValidatedResponse } from '../../../../server/contract/exchange.ts';
import type { CompiledOperation } from '../../../../server/contract/operation.ts';
import { documentedStatus } from '../../../../server/contract/validate-response.ts';
import { valueAt } from '../../../lib/json-pointer.ts';
import type { MockOperation } from '../mock-contract.ts';
import type { MockScenario, PromiseName } from '../mock-types.ts';
import { preferencesIn, preferOf } from '../prefer.ts';
import { jsonBody } from './body-scenarios.ts';
import { byClass } from './catalog.ts';
import type { ResponseContext, Scenario, ScenarioResponse } from './scenario.ts';

/** The scenario that applies to all requests, and the requests so far. */
export interface ScenarioState {
  /** Starts a scenario, or ends the current one without a name. @throws Error if the scenario does not exist */
  start: (selection: MockScenario | undefined) => void;
  /** Starts the first scenario again. */
  reset: () => void;
  /**
   * Fits a request to the scenario before it is handled. A request can name its own: `Prefer: scenario=NAME`.
   * @returns the function that changes the response
   */
  prepare: (
    own: MockOperation,
    operation: CompiledOperation,
    request: { head: RequestHead; body?: Uint8Array<ArrayBuffer> },
  ) => ChangeResponse;
}

/** @returns undefined if the scenario does not apply to the response */
type ChangeResponse = (response: ValidatedResponse) => ScenarioResponse | undefined;

const unchanged = () => undefined;

/**
 * @param all the scenarios in the order in which they apply to the same response
 * @param initial the scenario to start with
 * @param promises the additions that the API may make without a new major version
 * @throws Error that lists the names, if there is no such scenario
 */
export function createScenarioState(
  all: readonly Scenario[],
  initial?: MockScenario,
  promises: readonly PromiseName[] = [],
): ScenarioState {
  let current: MockScenario | undefined;
  let requests = new Map<string, number>();
  /** The usual values of changed properties, by name. */
  let usual = new Map<string, unknown>();
  const namesOf = ({ name, with: others = [] }: MockScenario) => [name, ...others];
  const start = (selection: MockScenario | undefined): void => {
    if (selection) assertKnownScenarios(namesOf(selection), byClass(all));
    current = selection;
    requests = new Map();
    usual = new Map();
  };
  start(initial);

  return {
    start,
    reset: () => start(initial),
    prepare(own, operation, request) {
      const { head } = request;
      const preferred = preferencesIn(preferOf(head)).get('scenario');
      const selection = preferred === undefined ? current : { name: preferred };
      if (!selection || selection.operations?.includes(own.id) === false) return unchanged;
      // The scenario of a single request has no earlier ones.
      const earlierRequests = preferred === undefined ? (requests.get(own.id) ?? 0) : 0;
      if (preferred === undefined) requests.set(own.id, earlierRequests + 1);
      const scenarios = all.filter(({ name }) => namesOf(selection).includes(name));
      for (const { preferFor, urlOf, acceptOf, requestBodyOf } of scenarios) {
        const prefer = preferFor?.(own, earlierRequests);
        const accept = acceptOf?.(own, head.headers.accept);
        if ((preferFor && prefer === undefined) || (acceptOf && accept === undefined)) return unchanged;
        if (accept !== undefined) head.headers.accept = accept;
        // The first preference of the same name counts, so the request's own one wins.
        if (prefer !== undefined) head.headers.prefer = [preferOf(head), prefer].filter(Boolean).join(', ');
        if (urlOf) head.url = urlOf(own, head.url ?? '/');
        if (requestBodyOf && request.body)
          request.body = rewritten(request.body, (body) => requestBodyOf(body, usual));
      }
      return (response) => {
        const key = documentedStatus(own.responses, response.status) ?? 'default';
        const [mediaType = ''] = Object.keys(own.responses[key]?.content ?? {});
        const changed = applyAll(
          scenarios,
          { ...response, changed: [] },
          {
            operation: own,
            locations: own.locations[key] ?? {},
            isValid: (body) => operation.validateBody(key, mediaType, body).length === 0,
            isSelected: (pointer) => selection.locations?.includes(pointer) !== false,
            isPromised: (promise) => promises.includes(promise),
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
function rewritten(
  bytes: Uint8Array<ArrayBuffer>,
  change: (body: unknown) => unknown,
): Uint8Array<ArrayBuffer> {
  try {
    return new TextEncoder().encode(JSON.stringify(change(JSON.parse(new TextDecoder().decode(bytes)))));
  } catch {
    return bytes;
  }
}

/** @throws Error that lists all scenarios, if one of the names does not exist */
export function assertKnownScenarios(names: readonly string[], all: readonly { name: string }[]): void {
  const unknown = names.find((wanted) => !all.some(({ name }) => name === wanted));
  const known = all.map(({ name }) => name).join(', ') || 'none';
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}. Scenarios: ${known}.`);
}
