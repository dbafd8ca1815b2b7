import { type DocumentNode, isDocumentNode } from '../../../../server/pipeline/document-node.ts';
import { nodeAt } from '../../../../server/pipeline/eov/read-operations.ts';

/** Returns all parts of a document to which the given nodes refer, by reference. */
export function pickSchemas(document: object, roots: readonly unknown[]): DocumentNode {
  const found: DocumentNode = {};
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isDocumentNode(node)) return;
    const { $ref } = node;
    if (typeof $ref === 'string' && !Object.hasOwn(found, $ref)) {
      found[$ref] = nodeAt(document, $ref);
      visit(found[$ref]);
    }
    for (const each of Object.values(node)) visit(each);
  };
  visit(roots);
  return found;
}
