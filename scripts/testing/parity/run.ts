import type { ErrorFormat } from '../../../server/pipeline/errors.ts';
import type { Contract } from '../../contract/model/contract.ts';
import { checkResponse } from '../conformance/check-response.ts';
import type { CheckResult } from '../conformance/check-result.ts';
import { createResourcePool } from '../conformance/resource-pool.ts';
import { resourceTypesOf } from '../conformance/resource-types.ts';
import { operationsOf, type TestedOperation } from '../requests/operations.ts';
import { requestOperations } from '../requests/request-operations.ts';
import { type RequestSpace, requestSpaceOf } from '../requests/request-space.ts';
import type { HttpResponse } from '../requests/send.ts';
import { createSchemaContext, type SchemaContext } from '../schema-values/schema-context.ts';
import { type ParityCase, parityCasesOf } from './cases.ts';
import {
  compareResponses,
  equalExceptStoredData,
  equalResponses,
  type ParityResult,
  type ParityTarget,
} from './compare.ts';

export interface ParitySample {
  contract: Contract;
  /** The service. Requests use the existing IDs that its lists return. */
  server: ParityTarget;
  /** Number of random valid requests per operation. */
  valid: number;
  /** Number of random invalid requests per operation and kind of violation. */
  invalid: number;
  seed: number;
}

/** Returns the requests of all operations in rotation, so that created resources appear in lists. */
export async function parityCases(sample: ParitySample): Promise<ParityCase[]> {
  const { context, spaces } = await reading(sample);
  return inTurns(spaces.map((space) => parityCasesOf(context, space, sample)));
}

/**
 * Compares the service with its static mock; see `equalExceptStoredData`. The mock's responses must also conform to
 * the contract.
 */
export async function checkStatelessParity(
  { contract, server, errors }: Pick<ParitySample, 'contract' | 'server'> & { errors: ErrorFormat },
  mock: ParityTarget,
  requested: readonly ParityCase[],
  enough?: number,
): Promise<ParityResult> {
  const responses = createSchemaContext(contract.view('response').document);
  const equalValidation = equalExceptStoredData(errors);
  const operations = new Map(operationsOf(responses).map((operation) => [operation.id, operation]));
  return compareResponses(requested, [server, mock], {
    enough,
    compare(each, one, other) {
      const operation = operations.get(each.operation.id) ?? each.operation;
      // The response for an unknown path belongs to no operation.
      const conforms = !isPathOf(operation, each.wire.target) || keepsContract(responses, operation, other);
      return conforms ? equalValidation(each, one, other) : 'different';
    },
  });
}

/** Whether a request target, as sent, is a path of an operation. */
function isPathOf({ path }: TestedOperation, target: string): boolean {
  const steps = target.split('?')[0]?.split('/') ?? [];
  const template = path.split('/');
  return (
    steps.length === template.length &&
    template.every((step, index) => step.includes('{') || step === steps[index])
  );
}

function keepsContract(
  responses: SchemaContext,
  operation: TestedOperation,
  response: HttpResponse,
): boolean {
  const result: CheckResult = { violations: [], made: [], outcome: 'accepted', rule: undefined };
  checkResponse(responses, operation, response, result);
  // An undocumented status is allowed, because responses such as 405 belong to no operation.
  return result.violations.every(({ check }) => check === 'status-documented');
}

/** Compares the service with its stateful mock; see `equalResponses`. */
export const checkFullParity = (
  server: ParityTarget,
  mock: ParityTarget,
  requested: readonly ParityCase[],
): Promise<ParityResult> => compareResponses(requested, [server, mock], { compare: equalResponses });

/** Reads existing IDs from lists of the service, and returns the possible requests of each operation. */
async function reading({
  contract,
  server,
}: ParitySample): Promise<{ context: SchemaContext; spaces: RequestSpace[] }> {
  const responses = createSchemaContext(contract.view('response').document);
  const documented = operationsOf(responses);
  const pool = createResourcePool(documented, resourceTypesOf(responses));
  for (const operation of documented.filter(({ method, path }) => method === 'get' && !path.includes('{'))) {
    const request = { operation, path: {}, query: {}, header: {}, cookie: {} };
    const wire = {
      method: 'GET',
      target: operation.path,
      headers: { Authorization: server.tokenWith('all') },
      body: undefined,
    };
    pool.learn(request, await server.send(wire));
  }
  pool.settle();
  const context = createSchemaContext(contract.view('request').document, pool.known);
  const operations = requestOperations(contract, context, documented);
  return { context, spaces: operations.map((operation) => requestSpaceOf(context, operation)) };
}

function inTurns(groups: readonly ParityCase[][]): ParityCase[] {
  const longest = Math.max(...groups.map((group) => group.length));
  return Array.from({ length: longest }, (_, index) => groups.flatMap((group) => group[index] ?? [])).flat();
}
