import type { CompiledContract } from '../../../../server/pipeline/compiled-contract.ts';
import { operationsOf as compiledOperationsOf } from '../../../../server/pipeline/operations.ts';
import type { OpenApiDocument } from '../../../lib/openapi-document.ts';
import { operationsOf, type TestedOperation } from '../../../testing/requests/operations.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import { createSchemaContext, type SchemaContext } from '../../../testing/schema-values/schema-context.ts';
import { scopesIn } from '../../mock/authenticate.ts';
import type {
  ExampleResponse,
  MarkedLocations,
  MockContract,
  MockOperation,
} from '../../mock/mock-contract.ts';
import type { PromiseName } from '../../mock/mock-types.ts';
import { createDynamicResponse } from '../../mock-server/dynamic-response.ts';
import { exampleFactsOf } from '../../mock-server/example-facts.ts';
import { createExampleResponse } from '../../mock-server/example-response.ts';
import { createContract } from '../../model/contract.ts';
import { viewFor } from '../../model/read-write-views.ts';
import { createPool, exampleTableOf } from './example-table.ts';
import { hasOpenMarks, markedLocationsOf } from './marked-locations.ts';

/** The parts of a mock's contract that a compiled contract does not have. */
export type MockData = Pick<MockContract, 'operations' | 'examples' | 'scopes' | 'tokens' | 'promises'>;

export interface DataOptions {
  tokens: MockContract['tokens'];
  /** Whether error responses follow the contract, so that the mock needs their examples. */
  hasDocumentedErrors: boolean;
  /** The additions that the API may make without a new major version. */
  promises: readonly PromiseName[];
}

/**
 * Creates the data of a mock's contract.
 * @throws Error if an example cannot be read
 */
export async function mockDataOf(
  document: OpenApiDocument,
  contract: CompiledContract,
  { tokens, hasDocumentedErrors, promises }: DataOptions,
): Promise<MockData> {
  const context = createSchemaContext(viewFor('responses', document));
  const tested = new Map(operationsOf(context).map((operation) => [operation.id, operation]));
  const respond = createDynamicResponse(document, createExampleResponse(createContract(document), {}), {
    seed: 1,
    dynamicByDefault: false,
  });
  const examples = createPool<ExampleResponse>();
  const marked = hasOpenMarks(document);
  const locations = new Map<string, MarkedLocations>();
  /** Many responses have the same schema. */
  const locationsIn = (schema: JsonSchema): MarkedLocations => {
    const key = JSON.stringify(schema);
    const found = locations.get(key) ?? markedLocationsOf(context, schema, marked);
    locations.set(key, found);
    return found;
  };
  const compiled = compiledOperationsOf(contract);
  const operations: MockOperation[] = [];
  for (const [index, plan] of contract.operations.entries()) {
    const operation = compiled[index];
    if (!operation) continue;
    const known = tested.get(plan.id);
    const responses = Object.entries(known?.responses ?? {});
    const names = Object.fromEntries(
      responses.map(([status, { content }]) => [
        status,
        content.flatMap((type) => type.examples.map(({ name }) => name)),
      ]),
    );
    operations.push({
      ...(hasDocumentedErrors ? plan : withoutExamples(plan)),
      locations: Object.fromEntries(
        responses.flatMap(([status, { content }]) => {
          const found = content[0] === undefined ? {} : locationsIn(content[0].schema);
          return Object.keys(found).length > 0 ? [[status, found]] : [];
        }),
      ),
      schemes: (known?.securitySchemes ?? []).map((schemes) => schemes.map((scheme) => ({ ...scheme }))),
      examples: await exampleTableOf(operation, respond, names, examples),
      facts: factsOf(context, known),
    });
  }
  return { operations, examples: examples.values, scopes: [...scopesIn(document)], tokens, promises };
}

/** Leaves out the examples of errors, which a contract with an error format of its own does not need. */
const withoutExamples = (
  plan: MockContract['operations'][number] | CompiledContract['operations'][number],
) => ({
  ...plan,
  responses: Object.fromEntries(
    Object.entries(plan.responses).map(([status, response]) => [
      status,
      {
        ...response,
        content: Object.fromEntries(
          Object.entries(response.content).map(([type, { examples: _examples, ...body }]) => [type, body]),
        ),
      },
    ]),
  ),
});

/** Returns what fits an example to a request, for each successful status with a JSON body. */
function factsOf(context: SchemaContext, operation: TestedOperation | undefined): MockOperation['facts'] {
  const successful = Object.entries(operation?.responses ?? {}).filter(([status]) => /^2/.test(status));
  return Object.fromEntries(
    successful.flatMap(([status, { content }]) => {
      const schema = content[0]?.schema;
      return operation && schema !== undefined ? [[status, exampleFactsOf(context, operation, schema)]] : [];
    }),
  );
}
