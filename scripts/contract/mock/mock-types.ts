/** The types of the mock inside pages and tests, for any contract. */
import type { InputOf, ResponseOf, TableOf } from '../../../server/contract/handler-types.ts';

/**
 * Functions that respond instead of the contract's examples, by operation ID. Each gets the validated request, and a
 * function that returns the example. Their responses are validated.
 */
export type Overrides<Types, Table extends TableOf<Types>> = {
  [Id in keyof Types]?: (
    input: InputOf<Types, Table, Id, 'mock'>,
    example: Example<Types, Id>,
  ) => ResponseOf<Types, Id> | Promise<ResponseOf<Types, Id>>;
};

/** Returns the contract's example: that of success, or that of a documented status, such as `example(404)`. */
interface Example<Types, Id extends keyof Types> {
  (): ExampleOf<Types, Id>;
  (status: ResponseOf<Types, Id>['status']): ResponseOf<Types, Id>;
}

/** A successful response. It is another one only if the request asks for it: `Prefer: code=404`. */
type ExampleOf<Types, Id extends keyof Types> = [Successful<Types, Id>] extends [never]
  ? ResponseOf<Types, Id>
  : Successful<Types, Id>;

type Successful<Types, Id extends keyof Types> = Extract<
  ResponseOf<Types, Id>,
  { status: 200 | 201 | 202 | 203 | 204 | 205 | 206 }
>;

export interface MockOptions<Types, Table extends TableOf<Types>> {
  overrides?: Overrides<Types, Table>;
  /** Bearer token for requests without an `Authorization` header, which your own server adds in production. */
  token?: string;
  /** Delay of each response, in milliseconds (default 0). */
  delayMs?: number;
  /** How responses differ from the examples, to test whether a client can handle it. `scenarios` lists the names. */
  scenario?: string | MockScenario;
}

/** A scenario, possibly with others at the same time, or limited to some operations or to some values of their responses. */
export interface MockScenario {
  name: string;
  /** Names of scenarios that apply to the same responses. */
  with?: readonly string[] | undefined;
  /** IDs of operations (default: all). */
  operations?: readonly string[] | undefined;
  /** JSON Pointers to the values of bodies that may be changed (default: all). */
  locations?: readonly string[] | undefined;
}

/** A kind of response that every client of the contract must be able to handle. */
export interface ScenarioInfo {
  name: string;
  /**
   * Why a client may get such a response: the contract documents it, a compatible change may bring it, HTTP and JSON
   * allow it, or something between client and server sends it.
   */
  class: 'documented' | 'evolution' | 'http' | 'intermediary';
  /** A sentence about the server. */
  title: string;
  /** The effect on a correct client: nothing that matters, other values of the documented kinds, or an error. */
  effect: 'nothing' | 'values' | 'error';
  /** The source that makes it legal: the contract, a promise about compatible changes, or a standard with its section. */
  legal: 'contract' | { promise: PromiseName } | { standard: string };
  /** Set if another scenario can hide its effect, so that it must not apply at the same time. */
  alone?: true;
}

/** The additions that an API may make without a new major version. */
export type PromiseName = 'properties' | 'enum-values' | 'error-codes';

/** A request that the mock has responded to. */
export interface MockRequest {
  /** The ID of the operation; undefined if the contract has none for the request. */
  operation: string | undefined;
  method: string;
  /** Path and query. */
  url: string;
  status: number;
  /** The values of the body that the scenario has changed, as JSON Pointers; undefined if it did not apply. */
  changed?: readonly string[] | undefined;
  /** The validated request; undefined if it was rejected. */
  input: { path: unknown; query: unknown; headers: unknown; body: unknown } | undefined;
}

export interface Mock<Types, Table extends TableOf<Types>> {
  /** Responds to a request like the service: use it in place of `fetch`. */
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** The requests since the start or the last `reset`. */
  readonly requests: readonly MockRequest[];
  /** Adds overrides, until the next `reset`. */
  override: (overrides: Overrides<Types, Table>) => void;
  /** @throws Error naming each response that violated the contract, and each override that threw an error */
  verify: () => void;
  /** Forgets the requests, the violations, and the overrides that were added later. */
  reset: () => void;
}

/** The module that `generate` writes. */
export interface GeneratedMock<Types, Table extends TableOf<Types>> {
  /**
   * Creates a mock that runs in the page or test that uses it, without a server. Its `fetch` validates requests like the
   * service, and returns the examples of the contract.
   */
  createMock: (options?: MockOptions<Types, Table>) => Mock<Types, Table>;
  /** The values of the option `scenario`. */
  scenarios: readonly ScenarioInfo[];
  /** The token with all scopes, if the mock distinguishes tokens. It is not a secret. */
  mockToken: string;
  /** Returns a token with some scopes, if the mock distinguishes tokens. */
  mockTokenWith: (scopes: readonly string[]) => string;
}
