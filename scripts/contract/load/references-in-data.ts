import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { pointerTokens } from '../../lib/json-pointer.ts';
import { isHttpMethod } from '../../lib/openapi-document.ts';
import { holdsData, mapsOfNames } from './visit-objects.ts';

/** Stands for `$ref` in data while libraries read a document, because they follow references everywhere. */
const hiddenReference = '$ref\u{e000}';

/** Maps of names that only some versions of OpenAPI have, or that stand at the root. */
const otherMaps = /^(paths|webhooks|pathItems|definitions|securityDefinitions)$/;

/** The meaning of an object's keys. */
type Role = 'keywords' | 'names';

/**
 * Renames `$ref` in examples, defaults, constants, enums and extensions, which are data: there it is a name like any other.
 * The document is changed in place, but not the data that it shares with other places.
 * @param isRoot whether the document is the root file. In other files, the names of schemas or responses may stand at the root.
 */
export function hideReferencesInData(document: unknown, isRoot: boolean): void {
  const seen = { keywords: new Set<unknown>(), names: new Set<unknown>() };
  const hide = createRenaming('$ref', hiddenReference);
  const isSwagger = isObject(document) && document.swagger !== undefined;
  const visit = (node: unknown, role: Role, key: string): void => {
    if (typeof node !== 'object' || node === null || seen[role].has(node)) return;
    seen[role].add(node);
    if (Array.isArray(node)) for (const each of node) visit(each, 'keywords', '');
    if (!isObject(node)) return;
    for (const [name, value] of Object.entries(node)) {
      const isData =
        role === 'names'
          ? // Swagger 2.0 has one example for each media type.
            isSwagger && key === 'examples' && name.includes('/')
          : holdsData.test(name) || (name === 'examples' && Array.isArray(value));
      if (isData) defineOwn(node, name, hide(value));
      // Redocly would follow it. An example needs no value.
      else if (name === 'externalValue' && role === 'keywords' && isUrl(String(value))) delete node[name];
      else {
        visit(value, role === 'keywords' && isMapOfNames(name) ? 'names' : 'keywords', name);
      }
    }
  };
  visit(document, !isRoot && isMapOfParts(document) ? 'names' : 'keywords', '');
}

/** Whether a reference leads to a network. A scheme has two letters or more, because C: is a drive. */
export const isUrl = (reference: string): boolean => /^([a-z][a-z\d+.-]+:|\/\/)/i.test(reference);

/** Keywords with an object that only a part of a document has. */
const marksPart = /^(info|components|items|schema|not)$/;

/** Whether the root of a file is a map of schemas, responses or other parts by name: it has parts only, and no keywords. */
function isMapOfParts(root: unknown): boolean {
  if (!isObject(root)) return false;
  const entries = Object.entries(root);
  const isExample = entries.length === 1 && 'value' in root;
  return (
    !isExample &&
    entries.every(
      ([name, value]) =>
        isObject(value) && !marksPart.test(name) && !isHttpMethod(name) && !isMapOfNames(name),
    )
  );
}

/** Returns a document with `$ref` in its data again. Nothing is changed in place. */
export const showReferencesInData = (document: unknown): unknown =>
  createRenaming(hiddenReference, '$ref')(document);

/** Whether a JSON Pointer into a document leads to data. */
export function isInData(pointer: string): boolean {
  let role: Role = 'keywords';
  const steps = pointerTokens(pointer);
  for (const [at, name] of steps.entries()) {
    const isList = /^\d+$/.test(steps[at + 1] ?? '');
    if (role === 'keywords' && (holdsData.test(name) || (name === 'examples' && isList))) return true;
    role = role === 'keywords' && isMapOfNames(name) ? 'names' : 'keywords';
  }
  return false;
}

const isMapOfNames = (name: string): boolean => mapsOfNames.test(name) || otherMaps.test(name);

/**
 * Returns a copy of a document for a library that follows references in data, too: there, `$ref` has another name. What the
 * library makes of the data must not matter.
 */
export function withoutReferencesInData<Document extends object>(document: Document): Document {
  const copy: Document = structuredClone(document);
  hideReferencesInData(copy, true);
  return copy;
}

/** Creates a function that renames a property at any depth. Parts without it are returned as they are, and each part once. */
function createRenaming(from: string, to: string): (value: unknown) => unknown {
  const known = new Map<object, unknown>();
  const rename = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const found = known.get(value);
    if (found !== undefined) return found;
    const renamed = Array.isArray(value) ? renamedList(value) : renamedObject(value);
    known.set(value, renamed);
    return renamed;
  };
  const renamedList = (list: unknown[]): unknown[] => {
    const copy = list.map(rename);
    return copy.some((each, at) => each !== list[at]) ? copy : list;
  };
  const renamedObject = (source: object): object => {
    const entries = Object.entries(source);
    const copy: JsonObject = {};
    let isChanged = false;
    for (const [name, each] of entries) {
      const inner = rename(each);
      isChanged ||= name === from || inner !== each;
      defineOwn(copy, name === from ? to : name, inner);
    }
    return isChanged ? copy : source;
  };
  return rename;
}
