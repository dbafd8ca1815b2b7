import { type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { mapObjects, mapsOfNames, visitObjects } from './visit-objects.ts';

/**
 * Replaces references to anchors (JSON Schema Core, section 8.2.2) by references to the schemas that have them. A dynamic
 * reference is like any other if only one schema has its anchor. References to anchors that no schema or several schemas
 * have stay.
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 */
export function resolveAnchors(document: OpenApiDocument): OpenApiDocument {
  const found: { name: unknown; pointer: string }[] = [];
  visitObjects(document, ({ $anchor, $dynamicAnchor, $dynamicRef }, key, pointer) => {
    const names = new Set([$anchor, $dynamicAnchor, $dynamicRef].filter((each) => typeof each === 'string'));
    if (!mapsOfNames.test(key)) found.push(...Array.from(names, (name) => ({ name, pointer })));
    return true;
  });
  if (found.length === 0) return document;
  const byReference = Map.groupBy(found, ({ name }) => `#${name}`);
  const resolved = (reference: unknown): unknown => {
    const [{ pointer } = { pointer: '' }, ...others] = byReference.get(String(reference)) ?? [];
    return pointer === '' || others.length > 0 ? reference : `#${encodeURI(pointer)}`;
  };
  const resolve = ({ $anchor: _, $dynamicAnchor: __, $dynamicRef, ...node }: JsonObject): JsonObject => {
    if (typeof node.$ref === 'string') node.$ref = resolved(node.$ref);
    if ($dynamicRef === undefined) return node;
    const target = { $ref: resolved($dynamicRef) };
    return node.$ref === undefined
      ? { ...node, ...target }
      : { ...node, allOf: [...listOf(node.allOf), target] };
  };
  return { ...document, ...objectOf(mapObjects(document, resolve)) };
}
