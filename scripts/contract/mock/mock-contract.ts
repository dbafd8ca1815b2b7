import type { CompiledContract, OperationPlan } from '../../../server/pipeline/compiled-contract.ts';
import type { HandlerResponse } from '../../../server/pipeline/exchange.ts';
import type { PageRules } from '../config.ts';
import type { SecuritySchemeInUse } from './authenticate.ts';
import type { PromiseName } from './mock-types.ts';
import type { ExampleFacts } from './personalize.ts';

/** A compiled contract with the examples that the mock responds with. */
export interface MockContract extends CompiledContract {
  operations: readonly MockOperation[];
  /** The examples to which the operations refer by index. */
  examples: readonly ExampleResponse[];
  /** All scopes of the contract. */
  scopes: readonly string[];
  tokens: 'any' | 'scoped';
  rules: Partial<PageRules>;
  /** The additions that the API may make without a new major version. */
  promises: readonly PromiseName[];
}

export interface MockOperation extends OperationPlan {
  /** The security schemes of each alternative, to recognize credentials if any token is accepted. */
  schemes: readonly (readonly SecuritySchemeInUse[])[];
  examples: ExampleTable;
  facts: Readonly<Record<string, ExampleFacts>>;
  /** By documented status. */
  locations: Readonly<Record<string, MarkedLocations>>;
}

/** Places in a body that scenarios treat in a special way, as JSON Pointers with `*` for array items. */
export interface MarkedLocations {
  /** Enumerations that may get more values. */
  enumerations?: readonly string[];
  dateTimes?: readonly string[];
  /** Integers that may be larger than JavaScript's numbers represent exactly. */
  largeIntegers?: readonly string[];
  /** IDs, which have to agree with the request and with each other. */
  ids?: readonly string[];
}

/** Indexes of example responses: the usual one, and those that the `Prefer` header can select. */
export interface ExampleTable {
  usual: number;
  /** By documented status, such as `404` or `4XX`, in the contract's order. */
  byStatus: Readonly<Record<string, number>>;
  /** By name, for the usual status. */
  byName: Readonly<Record<string, number>>;
  /** By status and name. */
  byBoth: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By status and media type, for the types that a response has only if `Accept` asks for them. */
  byType?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A response, or the reason for not having one. */
export type ExampleResponse = HandlerResponse | { missing: string };
