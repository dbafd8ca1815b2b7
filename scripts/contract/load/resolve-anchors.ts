import { type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { targetOf } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { mapObjects, mapsOfNames, visitObjects } from './visit-objects.ts';

/**
 * Replaces references to anchors (JSON Schema Core, section 8.2.2) by references to the schemas that have them. A dynamic
 * reference is like any other if only one schema has its anchor. References to nothing, and to anchors of several schemas,
 * stay.
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 */
export function resolveAnchors(document: OpenApiDocument): OpenApiDocument {
  const found: { name: unknown; pointer: string }[] = [];
  let isDynamic = false;
  visitObjects(document, ({ $anchor, $dynamicAnchor, $dynamicRef }, key, pointer) => {
    const names = new Set([$anchor, $dynamicAnchor].filter((each) => typeof each === 'string'));
    if (!mapsOfNames.test(key)) found.push(...Array.from(names, (name) => ({ name, pointer })));
    isDynamic ||= typeof $dynamicRef === 'string';
    return true;
  });
  if (found.length === 0 && !isDynamic) return document;
  const byReference = Map.groupBy(found, ({ name }) => `#${name}`);
  const resolved = (reference: string): string => {
    const [only, ...others] = byReference.get(reference) ?? [];
    return only === undefined || others.length > 0 ? reference : `#${encodeURI(only.pointer)}`;
  };
  const resolve = ({ $anchor: _, $dynamicAnchor: __, ...all }: JsonObject): JsonObject => {
    const { $dynamicRef, ...node } = all;
    if (typeof node.$ref === 'string') node.$ref = resolved(node.$ref);
    if (typeof $dynamicRef !== 'string') return node;
    const target = { $ref: resolved($dynamicRef) };
    if (targetOf(document, target.$ref) === undefined) return { ...node, $dynamicRef };
    return node.$ref === undefined
      ? { ...node, ...target }
      : { ...node, allOf: [...listOf(node.allOf), target] };
  };
  return { ...document, ...objectOf(mapObjects(document, resolve)) };
}
