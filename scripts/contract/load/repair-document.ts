import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { dereference, pointerOf, targetOf } from '../../lib/json-pointer.ts';
import { once } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';
import type { Note } from './diagnosis.ts';
import { repairRules } from './repair-rules.ts';
import { holdsData, mapsOfNames } from './visit-objects.ts';

export interface RepairedDocument {
  document: OpenApiDocument;
  /** The parts that were left out, or are read differently. */
  notes: Note[];
}

/**
 * Rewrites parts that not every tool understands, and rewrites or removes parts that contradict themselves, as the rules
 * say. It also replaces references to unnamed schemas by references to shared schemas, and references to other parts of
 * operations by these parts, because tools expect them in `components`.
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 */
export function repairDocument(document: OpenApiDocument): RepairedDocument {
  const notes = new Map<string, Note>();
  const context = once(() => createSchemaContext(withoutNullable(document)));
  const schemas = new Map<string, string>();

  /** Returns the reference to a shared schema that replaces a reference to an unnamed schema. */
  const sharedReference = (reference: string): string => {
    const name = schemas.get(reference) ?? unusedName(nameOfPart(reference));
    schemas.set(reference, name);
    return `#/components/schemas/${name}`;
  };
  const taken = new Set(Object.keys(document.components?.schemas ?? {}));
  const numbers = new Map<string, number>();
  const unusedName = (wanted: string): string => {
    let [name, number] = [wanted, numbers.get(wanted) ?? 0];
    for (; name === '' || taken.has(name); number += 1) name = `${wanted || 'Shared'}${number + 1}`;
    numbers.set(wanted, number);
    taken.add(name);
    return name;
  };
  /** Repairs the keywords of an object. */
  const repairNode = (node: Record<string, unknown>, pointer: string): Record<string, unknown> => {
    const repaired: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === '$ref' && typeof value === 'string' && inlineSchema.test(value)) {
        repaired.$ref = sharedReference(value);
        continue;
      }
      const rule = Object.hasOwn(repairRules, keyword) ? repairRules[keyword] : undefined;
      const repair = rule?.({ value, node, pointer, document, context });
      if (repair?.sentence !== undefined && !notes.has(repair.sentence))
        notes.set(repair.sentence, {
          pointer: `${pointer}/${escapePointer(keyword)}`,
          sentence: repair.sentence,
        });
      const kept = repair ? repair.value : value;
      if (kept !== undefined)
        defineOwn(
          repaired,
          repair?.keyword ?? keyword,
          visit(kept, keyword, `${pointer}/${escapePointer(keyword)}`),
        );
    }
    return repaired;
  };
  const visit = (node: unknown, key: string, pointer: string): unknown => {
    if (holdsData.test(key) || (key === 'examples' && Array.isArray(node))) return node;
    if (Array.isArray(node)) return node.map((each, at) => visit(each, '', `${pointer}/${at}`));
    if (!isObject(node)) return node;
    if (typeof node.$ref === 'string' && isInserted(node.$ref))
      return visit(dereference(document, node), key, pointer);
    if (!mapsOfNames.test(key)) return repairNode(node, pointer);
    return Object.fromEntries(
      Object.entries(node).map(([name, each]) => [
        name,
        visit(each, 'member', `${pointer}/${escapePointer(name)}`),
      ]),
    );
  };

  const repaired: OpenApiDocument = { ...document, ...objectOf(visit(document, '', '')) };
  // A shared schema may refer to further schemas inside of `paths`.
  const shared: Record<string, object> = {};
  for (const [reference, name] of schemas)
    defineOwn(shared, name, objectOf(visit(targetOf(document, reference), '', pointerOf(reference))));
  if (schemas.size > 0)
    repaired.components = {
      ...repaired.components,
      schemas: { ...repaired.components?.schemas, ...shared },
    };
  return { document: repaired, notes: [...notes.values()] };
}

/** Ajv rejects `nullable` without a type. */
const withoutNullable = (document: object): object =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'nullable' && typeof value === 'boolean' ? undefined : value,
  );

/** Matches references to unnamed schemas: in operations, in components other than schemas, or inside a named schema. */
export const inlineSchema =
  /^#\/((paths|components\/(responses|requestBodies|parameters|headers))\/.*\/schema(\/|$)|components\/schemas\/[^/]+\/.)/;
/** Matches references to parts of operations, such as parameters. */
const partOfPath = /^#\/paths\/[^/]+\/./;
/** Whether a copy of its target replaces a reference. */
export const isInserted = (reference: string): boolean =>
  partOfPath.test(reference) && !inlineSchema.test(reference);
/** Returns a name for a part of a named schema, such as `Order_status`; empty for other references. */
const nameOfPart = (reference: string): string =>
  (/^#\/components\/schemas\/(.+)$/.exec(reference)?.[1] ?? '')
    .replaceAll(/\/(properties|definitions|\$defs|items|allOf|oneOf|anyOf)(?=\/|$)/g, '')
    .replaceAll(/[^\w.-]+/g, '_');
