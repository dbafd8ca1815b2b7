import type { CompiledContract, OperationPlan } from '../../../server/contract/compiled-contract.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { PageRules } from '../config.ts';
import type { PromiseName } from './mock-types.ts';
import type { ExampleFacts } from './personalize.ts';

/** A compiled contract with the examples that the mock responds with. */
export interface MockContract extends CompiledContract {
  operations: readonly MockOperation[];
  /** @throws Error if there is no such operation */
  operationOf: (id: string) => MockOperation;
  /** The bodies to which the operations refer by index. */
  bodies: readonly ExampleBody[];
  /** All scopes of the contract. */
  scopes: readonly string[];
  tokens: 'any' | 'scoped';
  rules: Partial<PageRules>;
  /** The additions that the API may make without a new major version. */
  promises: readonly PromiseName[];
}

export interface MockOperation extends OperationPlan, OperationExamples {}

/** The data that a mock needs besides a compiled contract and its rules. */
export interface MockData extends Pick<MockContract, 'bodies' | 'scopes' | 'tokens' | 'promises'> {
  /** By operation ID. */
  operations: Readonly<Record<string, OperationExamples>>;
}

/** Returns a contract with what its mock needs. The examples of an operation are read when they are needed. */
export function mockContractOf(
  compiled: CompiledContract,
  { operations: known, ...data }: MockData,
  rules: Partial<PageRules>,
): MockContract {
  const operations = compiled.operations.map((plan): MockOperation => {
    const own = ownOf(known, plan.id);
    return {
      ...{ ...plan, locations: own?.locations ?? {} },
      get examples() {
        return own?.examples ?? {};
      },
    };
  });
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return {
    ...{ ...compiled, ...data, rules, operations },
    operationOf(id) {
      const operation = byId.get(id);
      if (!operation) throw new Error(`The compiled contract has no operation ${id}.`);
      return operation;
    },
  };
}

/** The data of an operation that its plan does not have. */
export interface OperationExamples {
  /** By documented status, such as `404` or `4XX`, in the contract's order. */
  examples: Readonly<Record<string, ResponseExamples>>;
  /** By documented status. Only scenarios need them. */
  locations: Readonly<Record<string, MarkedLocations>>;
}

/** The examples of a documented response. */
export interface ResponseExamples {
  /** Valid values, by the documented name. */
  headers: Readonly<Record<string, unknown>>;
  /** By media type: JSON first, because it is the usual one. */
  content: readonly ContentExamples[];
}

/** The examples of a documented body. */
export interface ContentExamples {
  /** As documented. */
  mediaType: string;
  /** The index of the usual body, which is valid. */
  usual: number;
  /** The indexes of the documented examples, by name. */
  named: Readonly<Record<string, number>>;
  /** Set if the usual body can be fitted to a request. */
  facts?: ExampleFacts;
}

/** A body and its media type, or the reason for not having one. */
export type ExampleBody = { body: unknown; mediaType: string } | { missing: string };

/** Places in a body that scenarios treat in a special way, as JSON Pointers with `*` for array items. */
export interface MarkedLocations {
  /** Enumerations that may get more values. */
  enumerations?: readonly string[];
  dateTimes?: readonly string[];
  /** Integers that may be larger than JavaScript's numbers represent exactly. */
  largeIntegers?: readonly string[];
  /** IDs, which have to agree with the request and with each other. */
  ids?: readonly string[];
  /** Cursors, which have to agree with the list and with the parameter that takes them. */
  cursors?: readonly string[];
  /** Enumerations of an error that are not marked as open, although others of the contract are. */
  errorCodes?: readonly string[];
}
