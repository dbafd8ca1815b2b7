import { isObject } from '../../../server/lib/json-object.ts';
import { holdsData, mapsOfNames } from './visit-objects.ts';

/** Keywords that describe a value without restricting it. */
const annotations =
  /^(title|summary|description|default|deprecated|readOnly|writeOnly|examples?|externalDocs|x-.*)$/;

/**
 * Removes the keywords next to references that restrict values: OpenAPI 3.0 and Swagger 2.0 ignore them, but OpenAPI 3.1
 * applies them, so some schemas would allow no value after the conversion.
 * @param parsed a bundled document of these versions, which is not changed
 * @returns the document, and whether there were such keywords
 */
export function removeReferenceSiblings(parsed: object): { document: object; hasRemoved: boolean } {
  let hasRemoved = false;
  const visit = (node: unknown, key: string): unknown => {
    if (holdsData.test(key)) return node;
    if (Array.isArray(node)) return node.map((each) => visit(each, ''));
    if (!isObject(node)) return node;
    const isMap = mapsOfNames.test(key);
    const isReference = !isMap && typeof node.$ref === 'string';
    const entries = Object.entries(node).filter(
      ([name]) => !isReference || name === '$ref' || annotations.test(name),
    );
    if (entries.length < Object.keys(node).length) hasRemoved = true;
    return Object.fromEntries(entries.map(([name, each]) => [name, visit(each, isMap ? 'member' : name)]));
  };
  const document = visit(parsed, '');
  return { document: isObject(document) ? document : parsed, hasRemoved };
}
