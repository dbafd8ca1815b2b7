import type { Contract } from '../../contract/model/contract.ts';
import { createSchemaContext, type SchemaContext } from '../schema-values/schema-context.ts';
import { operationsOf, type TestedOperation } from './operations.ts';

/**
 * Returns the operations of a contract, with requests without `readOnly` properties, and responses without `writeOnly`
 * properties. Examples of requests with `readOnly` properties are omitted: they match their schema, but a service may reject
 * them.
 * @param requests the request view of the contract
 * @param documented the operations of the response view
 */
export function requestOperations(
  contract: Contract,
  requests: SchemaContext,
  documented: readonly TestedOperation[],
): TestedOperation[] {
  const strict = createSchemaContext(contract.view('request', 'forbidden').document);
  const strictOperations = operationsOf(strict);
  return operationsOf(requests).map((inRequests, index) => {
    const { responses } = documented[index] ?? inRequests;
    const operation = { ...inRequests, responses };
    const content = strictOperations[index]?.body?.content ?? [];
    if (!operation.body) return operation;
    const omitReadOnly = (type: (typeof content)[number], at: number): (typeof content)[number] => ({
      ...type,
      examples: type.examples.filter(
        ({ value }) =>
          !requests.isValid(type.schema, value) || strict.isValid(content[at]?.schema ?? true, value),
      ),
    });
    return { ...operation, body: { ...operation.body, content: operation.body.content.map(omitReadOnly) } };
  });
}
