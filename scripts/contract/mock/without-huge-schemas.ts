import { isObject } from '../../../server/lib/json-object.ts';
import type { ContractDocument } from '../../../server/pipeline/operation.ts';
import { targetOf } from '../../lib/json-pointer.ts';

/** Maximum number of objects and arrays in a schema whose references are replaced by their targets. */
const maxParts = 2000;

/**
 * Replaces shared schemas that grow huge when their references are replaced by their targets, as Prism replaces them.
 * Where many schemas refer to each other, that would not end within minutes. Any value is valid against the new schema.
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 */
export function withoutHugeSchemas(document: ContractDocument): ContractDocument {
  const components = isObject(document.components) ? document.components : {};
  const schemas = isObject(components.schemas) ? components.schemas : {};
  const kept = Object.entries(schemas).map(([name, schema]) => [
    name,
    hasMoreParts(document, schema) ? {} : schema,
  ]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
}

/** Whether a schema has more parts than the maximum. A reference to a schema that contains it counts as one part. */
function hasMoreParts(document: ContractDocument, schema: unknown): boolean {
  let parts = 0;
  const visit = (node: unknown, parents: readonly unknown[]): void => {
    if (typeof node !== 'object' || node === null || parents.includes(node)) return;
    parts += 1;
    if (parts > maxParts) return;
    const inside = [...parents, node];
    if (isObject(node) && typeof node.$ref === 'string') visit(targetOf(document, node.$ref), inside);
    for (const each of Object.values(node)) visit(each, inside);
  };
  visit(schema, []);
  return parts > maxParts;
}
