import { isObject, listOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { percentDecode, pointerOf } from '../../lib/json-pointer.ts';
import { isHttpMethod, type OpenApiDocument } from '../../lib/openapi-document.ts';
import { holdsData, mapsOfNames, visitObjects } from './visit-objects.ts';

/**
 * Returns the pointer of the smallest part with a name of its own around a place: an operation, the common fields of a path, or a
 * component. The document without one of them is still a document.
 * @param pointer a JSON Pointer, without percent-encoding
 * @returns undefined if the place belongs to the whole document
 */
export function partAround(pointer: string): string | undefined {
  const [first, second, third] = pointer.split('/').slice(1);
  if (first === undefined || second === undefined) return undefined;
  const own = (...steps: string[]) => `/${steps.join('/')}`;
  if (first === 'components') return third === undefined ? undefined : own(first, second, third);
  if (first !== 'paths' && first !== 'webhooks') return undefined;
  return third !== undefined && isHttpMethod(third) ? own(first, second, third) : own(first, second);
}

/**
 * Returns the parts that each part uses: by references, by the names of security schemes, and an operation those of its path.
 * @param document a bundled OpenAPI 3.1 document
 */
export function usesOfParts(document: OpenApiDocument): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  const usesOf = (part: string): Set<string> => {
    const known = uses.get(part) ?? new Set();
    uses.set(part, known);
    return known;
  };
  const addReference = (part: string, reference: string): void => {
    const target = reference.startsWith('#') ? partAround(percentDecode(pointerOf(reference))) : undefined;
    if (target !== undefined && target !== part) usesOf(part).add(target);
  };
  const addSchemes = (part: string, security: unknown): void => {
    for (const name of listOf(security).filter(isObject).flatMap(Object.keys))
      usesOf(part).add(`/components/securitySchemes/${escapePointer(name)}`);
  };
  const addReferences = (part: string, root: unknown): void =>
    visitObjects(root, (node, key) => {
      if (!mapsOfNames.test(key) && typeof node.$ref === 'string') addReference(part, node.$ref);
      for (const target of key === 'mapping' ? Object.values(node).map(String) : [])
        addReference(part, target.startsWith('#') ? target : `#/components/schemas/${escapePointer(target)}`);
    });
  const items = (['paths', 'webhooks'] as const).flatMap((kind) =>
    Object.entries(document[kind] ?? {}).map(([path, item]) => ({ kind, path, item })),
  );
  for (const { kind, path, item } of items) {
    const common = `/${kind}/${escapePointer(path)}`;
    usesOf(common);
    for (const [name, each] of Object.entries(item)) {
      if (name === '$ref' && typeof each === 'string') addReference(common, each);
      if (!isHttpMethod(name)) {
        if (!holdsData.test(name)) addReferences(common, each);
        continue;
      }
      const operation = `${common}/${name}`;
      usesOf(operation).add(common);
      addReferences(operation, each);
      if (kind === 'paths' || (isObject(each) && each.security !== undefined))
        addSchemes(operation, isObject(each) ? (each.security ?? document.security) : undefined);
    }
  }
  for (const [kind, named] of Object.entries(document.components ?? {}))
    if (!kind.startsWith('x-') && isObject(named))
      for (const [name, each] of Object.entries(named))
        addReferences(`/components/${escapePointer(kind)}/${escapePointer(name)}`, each);
  return uses;
}
