import { InputLimitError } from '../lib/input-limit.ts';
import { nothingFound, type SchemaViolation } from '../lib/violation.ts';
import { withWorkLimit } from '../lib/work-limit.ts';
import {
  assertCompiled,
  type BodyPlan,
  type CompiledContract,
  type ContractModule,
  type OperationPlan,
} from './compiled-contract.ts';
import { fillDefaults } from './defaults.ts';
import { type DocumentNode, isDocumentNode } from './document-node.ts';
import { explainSchema } from './explain/explain-schema.ts';
import { exceedsErrorLimits, isNestedDeeperThan, maxDepthForAllErrors } from './json-size.ts';
import type { CompiledOperation, DocumentedContent } from './operation.ts';

/** Maximum number of violations that are listed. */
const maxViolations = 1_000;

/**
 * Returns the operations of a compiled contract with the functions that validate their messages.
 * @throws Error if the contract was compiled by another version of the toolchain
 */
export function operationsOf(contract: ContractModule): CompiledOperation[] {
  assertCompiled(contract);
  const schemas = createSchemaChecks(contract);
  const contentOf = ({ schema, examples = [] }: BodyPlan): DocumentedContent => ({
    schema: schema === undefined ? {} : { $ref: schema },
    examples,
    resolve: schemas.resolve,
  });
  return contract.operations.map((plan) => toOperation(plan, schemas, contentOf));
}

/** The schemas of a contract with their functions. */
interface SchemaChecks {
  /** Whether a value conforms to a schema. */
  accepts: (name: string, value: unknown) => boolean;
  /** Returns the violations of a value; none if it conforms. */
  violationsOf: (name: string, value: unknown) => SchemaViolation[];
  /** Follows the references of a schema. */
  resolve: (schema: unknown) => DocumentNode;
}

function createSchemaChecks(contract: CompiledContract): SchemaChecks {
  const { schemas, deciderOf } = contract;
  const deciders = new Map<string, (value: unknown) => boolean>();
  const accepts = (name: string, value: unknown): boolean => {
    let decide = deciders.get(name);
    if (!decide) {
      decide = deciderOf(name);
      deciders.set(name, decide);
    }
    return decide(value);
  };
  return {
    accepts,
    violationsOf: (name, value) => (accepts(name, value) ? [] : explain(contract, name, value)),
    resolve(schema) {
      let found = schema;
      while (isDocumentNode(found) && typeof found.$ref === 'string') found = schemas[found.$ref];
      return isDocumentNode(found) ? found : {};
    },
  };
}

/** Lists all violations, or only the first one of a value that is large or deep, or takes too much work. */
function explain({ schemas, formats }: CompiledContract, name: string, value: unknown): SchemaViolation[] {
  const isLarge = exceedsErrorLimits(value) || isNestedDeeperThan(value, maxDepthForAllErrors);
  const limits = isLarge ? [1] : [maxViolations, 1];
  for (const limit of limits)
    try {
      return withWorkLimit(limit === 1 ? value : undefined, () =>
        explainSchema(schemas, name, value, formats, limit),
      );
    } catch (error) {
      if (!(error instanceof InputLimitError || error instanceof RangeError)) throw error;
    }
  return [nothingFound];
}

function toOperation(
  plan: OperationPlan,
  { accepts, violationsOf }: SchemaChecks,
  contentOf: (body: BodyPlan) => DocumentedContent,
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
      Object.entries(responses).map(([status, { content, headers }]) => [
        status,
        {
          mediaTypes: Object.keys(content),
          content: new Map(Object.entries(content).map(([type, each]) => [type, contentOf(each)])),
          headers,
        },
      ]),
    ),
    accepts,
    violationsOf,
    validateRequestBody(mediaType, value) {
      const { schema, defaults } = body?.content[mediaType] ?? {};
      if (defaults !== undefined) fillDefaults(defaults, value);
      return schema === undefined ? [] : violationsOf(schema, value);
    },
    validateBody(status, mediaType, value) {
      const schema = responses[status]?.content[mediaType]?.schema;
      return schema === undefined ? [] : violationsOf(schema, value);
    },
  };
}
