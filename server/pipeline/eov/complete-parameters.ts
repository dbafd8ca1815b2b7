import { escapePointer } from '../../lib/json-text.ts';
import { type DocumentNode, isDocumentNode, listOf } from '../document-node.ts';
import type { ContractDocument } from '../operation.ts';
import { nodeAt, resolve } from './read-operations.ts';

const methods = /^(get|put|post|delete|options|head|patch|trace)$/;

/**
 * Gives each operation all its parameters: also those of its path that it does not override, because the validator would
 * apply both, and the API keys that its security schemes expect in the query, of which the validator knows only one.
 * @param document is changed
 */
export function completeParameters(document: ContractDocument & { security?: unknown }): void {
  const keyOf = (parameter: unknown) => {
    const { in: location, name } = resolve(document, parameter);
    return `${location} ${name}`;
  };
  for (const item of Object.values(document.paths ?? {})) {
    if (!isDocumentNode(item)) continue;
    const { parameters: shared, ...rest } = item;
    delete item.parameters;
    for (const [method, operation] of Object.entries(rest)) {
      if (!methods.test(method) || !isDocumentNode(operation)) continue;
      const keys = keysInQuery(document, operation.security ?? document.security);
      // Of parameters with the same name and location, the last one counts.
      const all = [...keys, ...listOf(shared), ...listOf(operation.parameters)];
      operation.parameters = [...new Map(all.map((each) => [keyOf(each), each])).values()];
    }
  }
}

function keysInQuery(document: ContractDocument, security: unknown): DocumentNode[] {
  return listOf(security)
    .flatMap((alternative) => (isDocumentNode(alternative) ? Object.keys(alternative) : []))
    .map((name) => resolve(document, nodeAt(document, `#/components/securitySchemes/${escapePointer(name)}`)))
    .filter((scheme) => scheme.type === 'apiKey' && scheme.in === 'query')
    .map(({ name }) => ({ name, in: 'query', schema: { type: 'string' } }));
}
