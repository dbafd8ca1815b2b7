import type { ValidateFunction } from 'ajv';
import type { ComposedParameters } from '../../../server/pipeline/eov/parameter-parser.ts';
import type { HandlerResponse } from '../../../server/pipeline/exchange.ts';
import type { ContractOperation, DocumentedHeader } from '../../../server/pipeline/operation.ts';
import type { PageRules } from '../config.ts';
import type { SecuritySchemeInUse } from '../mock/authenticate.ts';
import type { ExampleFacts } from '../mock/personalize.ts';
import type { PromiseName } from './mock-types.ts';

/** A contract as `generate` writes it into the module of the mock. It needs no schema compiler. */
export interface CompiledContract {
  operations: readonly CompiledContractOperation[];
  /** The validators to which the operations refer by index. */
  validators: readonly ValidateFunction[];
  /** The examples to which the operations refer by index. */
  examples: readonly ExampleResponse[];
  /** All scopes of the contract. */
  scopes: readonly string[];
  tokens: 'any' | 'scoped';
  /** The schemas of forms, and of error responses if the contract has no error format of its own. */
  schemas: Readonly<Record<string, unknown>>;
  rules: Partial<PageRules>;
  /** The additions that the API may make without a new major version. */
  promises: readonly PromiseName[];
  /** Parses parameters that are arrays, objects or JSON. Only contracts with such parameters have it. */
  parseParameters?: ParseParameters;
}

export type ParseParameters =
  typeof import('../../../server/pipeline/eov/parameter-parser.ts').parseParameters;

export interface CompiledContractOperation
  extends Pick<
    ContractOperation,
    | 'id'
    | 'method'
    | 'path'
    | 'basePath'
    | 'security'
    | 'parameters'
    | 'requestTypes'
    | 'bodyRequired'
    | 'deprecationHeaders'
  > {
  /** The security schemes of each alternative, to recognize credentials if any token is accepted. */
  schemes: readonly (readonly SecuritySchemeInUse[])[];
  /** Set if some of its parameters are arrays, objects or JSON. */
  composed?: ComposedParameters;
  /** The schema of each form, by media type: an entry of `schemas`. */
  forms: Readonly<Record<string, unknown>>;
  requests: Readonly<Record<string, CompiledRequest>>;
  responses: Readonly<Record<string, CompiledResponse>>;
  examples: ExampleTable;
  facts: Readonly<Record<string, ExampleFacts>>;
}

/** The validators of a request with one media type. */
export interface CompiledRequest {
  general: number;
  body?: number;
  discriminator?: { property: string; validators: Readonly<Record<string, number>> };
}

export interface CompiledResponse {
  bodies: Readonly<Record<string, number>>;
  headerValidator: number;
  mediaTypes: readonly string[];
  headers: readonly DocumentedHeader[];
  locations: MarkedLocations;
  /** Schemas and examples of error bodies, if the contract has no error format of its own. */
  content?: Readonly<Record<string, { schema: unknown; examples: readonly unknown[] }>>;
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
