import { readForm } from '../validation/parameters/read-form.ts';
import { readScalar } from '../validation/parameters/read-scalar.ts';
import { createReading } from '../validation/parameters/reading.ts';
import {
  assertCompiled,
  type BodyPlan,
  type ContractModule,
  type OperationPlan,
  type ResponsePlan,
} from './compiled-contract.ts';
import { fillDefaults } from './defaults.ts';
import type { CompiledOperation, DocumentedContent } from './operation.ts';
import { createSchemaChecks, type SchemaChecks } from './schema-checks.ts';

/**
 * Returns the operations of a compiled contract with the functions that validate their messages.
 * @throws Error if the contract was compiled by another version of the toolchain
 */
export function operationsOf(contract: ContractModule): CompiledOperation[] {
  assertCompiled(contract);
  const schemas = createSchemaChecks(contract);
  const contentOf = ({ schema, examples = [], form }: BodyPlan): DocumentedContent => ({
    schema: schema === undefined ? {} : { $ref: schema },
    examples,
    form,
    resolve: schemas.resolve,
  });
  // Operations share the plans of equal responses.
  const known = new Map<ResponsePlan, CompiledOperation['responses'][string]>();
  const responseOf = (plan: ResponsePlan) => {
    const { content, headers } = plan;
    const response = known.get(plan) ?? {
      mediaTypes: Object.keys(content),
      content: new Map(Object.entries(content).map(([type, each]) => [type, contentOf(each)])),
      headers,
    };
    known.set(plan, response);
    return response;
  };
  return contract.operations.map((plan) => toOperation(plan, schemas, { contentOf, responseOf }));
}

/** Functions that operations share. */
interface Converters {
  contentOf: (body: BodyPlan) => DocumentedContent;
  responseOf: (plan: ResponsePlan) => CompiledOperation['responses'][string];
}

function toOperation(
  plan: OperationPlan,
  { accepts, violationsOf }: SchemaChecks,
  { contentOf, responseOf }: Converters,
): CompiledOperation {
  const { body, responses, parameters, ...rest } = plan;
  const requestContent = Object.entries(body?.content ?? {});
  return {
    ...rest,
    plan: parameters,
    requestTypes: requestContent.map(([type]) => type),
    requestContent: new Map(requestContent.map(([type, each]) => [type, contentOf(each)])),
    bodyRequired: body?.required ?? false,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, responseOf(response)]),
    ),
    accepts,
    violationsOf,
    readText({ body: given, mediaType = '', format, contents = {} }, problems) {
      const { form, text } = body?.content[mediaType] ?? {};
      if (typeof given !== 'string' || format === 'json') return given;
      if (form && format !== 'text') return readForm(form, given, contents, accepts, problems);
      return text ? readScalar(given, text, createReading(accepts)) : given;
    },
    validateRequestBody(mediaType, value) {
      const { schema, defaults } = body?.content[mediaType] ?? {};
      if (defaults !== undefined) fillDefaults(defaults, value);
      return schema === undefined ? [] : violationsOf(schema, value);
    },
    validateBody(status, mediaType, value) {
      const { schema, text } = responses[status]?.content[mediaType] ?? {};
      const isText = text && typeof value === 'string';
      const read = isText ? readScalar(value, text, createReading(accepts)) : value;
      return schema === undefined ? [] : violationsOf(schema, read);
    },
  };
}
