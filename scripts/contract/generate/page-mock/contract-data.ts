import { isDocumentNode } from '../../../../server/pipeline/document-node.ts';
import type { OperationWithSchemas } from '../../../../server/pipeline/eov/validator.ts';
import { bodyFormatOf } from '../../../../server/pipeline/media-type.ts';
import type { ContractDocument, DocumentedResponse } from '../../../../server/pipeline/operation.ts';
import { operationsOf, type TestedOperation } from '../../../testing/requests/operations.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import { createSchemaContext, type SchemaContext } from '../../../testing/schema-values/schema-context.ts';
import { scopesIn } from '../../mock/authenticate.ts';
import { createDynamicResponse } from '../../mock/dynamic-response.ts';
import { exampleFactsOf } from '../../mock/example-facts.ts';
import { createPrismResponse } from '../../mock/prism-response.ts';
import { viewFor } from '../../model/read-write-views.ts';
import type {
  CompiledContract,
  CompiledContractOperation,
  CompiledRequest,
  CompiledResponse,
  ExampleResponse,
  MarkedLocations,
} from '../../page-mock/compiled-contract.ts';
import type { PromiseName } from '../../page-mock/mock-types.ts';
import { createPool, exampleTableOf } from './example-table.ts';
import { hasOpenMarks, markedLocationsOf } from './marked-locations.ts';
import { pickSchemas } from './pick-schemas.ts';
import type { SchemaCompiler } from './schema-compiler.ts';

/** The parts of a compiled contract that are data. */
export type ContractData = Omit<CompiledContract, 'validators' | 'rules' | 'parseParameters'>;

export interface DataOptions {
  tokens: CompiledContract['tokens'];
  /** Whether error responses follow the contract, so that the mock needs their schemas. */
  hasDocumentedErrors: boolean;
  /** The additions that the API may make without a new major version. */
  promises: readonly PromiseName[];
}

/**
 * Creates the data of a compiled contract.
 * @param compiler gets all schemas
 * @throws Error if the contract cannot be compiled
 */
export async function contractDataOf(
  document: ContractDocument,
  contractOperations: readonly OperationWithSchemas[],
  compiler: SchemaCompiler,
  { tokens, hasDocumentedErrors, promises }: DataOptions,
): Promise<ContractData> {
  const context = createSchemaContext(viewFor('responses', document));
  const tested = new Map(operationsOf(context).map((operation) => [operation.id, operation]));
  const respond = createDynamicResponse(document, await createPrismResponse(document, {}), {
    seed: 1,
    dynamicByDefault: false,
  });
  const examples = createPool<ExampleResponse>();
  const operations: CompiledContractOperation[] = [];
  const marked = hasOpenMarks(document);
  const locations = new Map<string, MarkedLocations>();
  /** Many responses have the same schema. */
  const locationsIn = (schema: JsonSchema): MarkedLocations => {
    const key = JSON.stringify(schema);
    const found = locations.get(key) ?? markedLocationsOf(context, schema, marked);
    locations.set(key, found);
    return found;
  };
  for (const operation of contractOperations) {
    const known = tested.get(operation.id);
    const names = Object.fromEntries(
      Object.entries(known?.responses ?? {}).map(([status, { content }]) => [
        status,
        content.flatMap((type) => type.examples.map(({ name }) => name)),
      ]),
    );
    operations.push({
      ...shapeOf(operation, compiler, hasDocumentedErrors, (status) => {
        const schema = known?.responses[status]?.content[0]?.schema;
        return schema === undefined ? {} : locationsIn(schema);
      }),
      schemes: (known?.securitySchemes ?? []).map((schemes) => schemes.map((scheme) => ({ ...scheme }))),
      examples: await exampleTableOf(operation, respond, names, examples),
      facts: factsOf(context, known),
    });
  }
  const roots = operations.flatMap(({ forms, responses, composed }) => [
    composed,
    ...Object.values(forms),
    ...Object.values(responses).map(({ content }) => content),
  ]);
  return {
    operations,
    examples: examples.values,
    scopes: [...scopesIn(document)],
    tokens,
    promises,
    schemas: pickSchemas(document, roots),
  };
}

function shapeOf(
  operation: OperationWithSchemas,
  compiler: SchemaCompiler,
  hasDocumentedErrors: boolean,
  locationsOf: (status: string) => MarkedLocations,
): Omit<CompiledContractOperation, 'schemes' | 'examples' | 'facts'> {
  const { id, method, path, basePath, security, parameters, requestTypes, bodyRequired } = operation;
  const schemas = operation.schemas();
  const requests = Object.entries(schemas.requests).map(([type, { general, body, discriminator }]) => {
    const compiled: CompiledRequest = {
      general: compiler.add('parameters', general),
      ...(isDocumentNode(body) && !discriminator ? { body: compiler.add('requestBody', body) } : {}),
      ...(discriminator
        ? {
            discriminator: {
              property: discriminator.property,
              validators: Object.fromEntries(
                Object.entries(discriminator.schemas).map(([value, schema]) => [
                  value,
                  compiler.add('requestBody', schema),
                ]),
              ),
            },
          }
        : {}),
    };
    return [type, compiled];
  });
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const bodies = Object.entries(schemas.responses[status] ?? {}).map(([type, schema]) => [
      type,
      compiler.add('response', schema),
    ]);
    const compiled: CompiledResponse = {
      bodies: Object.fromEntries(bodies),
      headerValidator: compiler.add('parameters', schemas.headers[status] ?? {}),
      mediaTypes: response.mediaTypes,
      headers: response.headers,
      locations: locationsOf(status),
      ...(hasDocumentedErrors && !/^[123]/.test(status) ? { content: contentOf(response) } : {}),
    };
    return [status, compiled];
  });
  const forms = [...operation.requestContent].filter(([type]) =>
    ['form', 'multipart'].includes(bodyFormatOf(type)),
  );
  return {
    ...{ id, method, path, basePath, security, parameters, requestTypes, bodyRequired },
    ...(schemas.composed ? { composed: schemas.composed } : {}),
    deprecationHeaders: operation.deprecationHeaders,
    forms: Object.fromEntries(forms.map(([type, { schema }]) => [type, schema])),
    requests: Object.fromEntries(requests),
    responses: Object.fromEntries(responses),
  };
}

const contentOf = ({ content }: DocumentedResponse) =>
  Object.fromEntries([...content].map(([type, { schema, examples }]) => [type, { schema, examples }]));

/** Returns what fits an example to a request, for each successful status with a JSON body. */
function factsOf(
  context: SchemaContext,
  operation: TestedOperation | undefined,
): CompiledContractOperation['facts'] {
  const successful = Object.entries(operation?.responses ?? {}).filter(([status]) => /^2/.test(status));
  return Object.fromEntries(
    successful.flatMap(([status, { content }]) => {
      const schema = content[0]?.schema;
      return operation && schema !== undefined ? [[status, exampleFactsOf(context, operation, schema)]] : [];
    }),
  );
}
