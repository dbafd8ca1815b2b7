import type { MarkedLocations, MockOperation } from '../mock-contract.ts';
import type { PromiseName, ScenarioInfo } from '../mock-types.ts';

/** Returns the name as written and the value of a header. @param name in lower case */
export const headerOf = <Value>(
  headers: Readonly<Record<string, Value>>,
  name: string,
): [written: string, value: Value] | undefined =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name);

/** Returns the headers without one. @param name in lower case */
export const withoutHeader = <Value>(headers: Record<string, Value>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each.toLowerCase() !== name));

/** A kind of response, and how it is made from the usual one. */
export interface Scenario extends ScenarioInfo {
  /**
   * Returns the preferences that requests get, such as `code=503`; undefined if the scenario does not apply to one. Without
   * this function, requests keep their own.
   * @param earlierRequests the number of requests to the operation since the start of the scenario
   */
  preferFor?: (operation: MockOperation, earlierRequests: number) => string | undefined;
  /** Returns the URL to respond to in place of the requested one. */
  urlOf?: (operation: MockOperation, url: string) => string;
  /** Returns the `Accept` header to respond to in place of the given one; undefined if the scenario does not apply. */
  acceptOf?: (operation: MockOperation, accept: string | undefined) => string | undefined;
  /**
   * Returns the parsed body to accept in place of the one that was sent: a client may write back what it has read.
   * @param usual the usual values of properties that were changed before, by name
   */
  requestBodyOf?: (body: unknown, usual: ReadonlyMap<string, unknown>) => unknown;
  /** Returns the changed response, or undefined if the scenario does not apply to it. */
  change: (response: ScenarioResponse, context: ResponseContext) => ScenarioResponse | undefined;
}

type Common = Pick<Scenario, 'class' | 'effect'>;

/** Returns scenarios of one class with the same effect, except for those that have another. */
export const alike = (
  common: Common,
  scenarios: readonly (Omit<Scenario, keyof Common> & Partial<Common>)[],
): Scenario[] => scenarios.map((each) => ({ ...common, ...each }));

export interface ScenarioResponse {
  status: number;
  headers: Record<string, string>;
  payload: string | Uint8Array | undefined;
  /** How the body arrives (default: whole). */
  delivery?: Delivery;
  /** JSON Pointers to the changed values of the body. */
  changed: readonly string[];
}

/** In many small chunks, with a pause, cut in the middle, or without an end. */
export type Delivery = 'chunks' | 'slow' | 'cut' | 'endless';

/** The facts on which a change of a response depends. */
export interface ResponseContext {
  operation: MockOperation;
  /** Places in the body with a special meaning; `*` stands for any array item. */
  locations: MarkedLocations;
  /** Whether the contract allows a body in this response. */
  isValid: (body: unknown) => boolean;
  /** Whether the value at a JSON Pointer may be changed. */
  isSelected: (pointer: string) => boolean;
  /** Whether the API may make such an addition without a new major version. */
  isPromised: (promise: PromiseName) => boolean;
}
