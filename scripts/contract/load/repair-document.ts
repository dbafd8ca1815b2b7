import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { dereference, pointerOf, targetOf } from '../../lib/json-pointer.ts';
import { once } from '../../lib/once.ts';
import { isHttpMethod, type OpenApiDocument } from '../../lib/openapi-document.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';
import type { Note } from './diagnosis.ts';
import { type Rules, schemaRules } from './schema-rules.ts';
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

const isMediaType = (name: string): boolean => name.includes('/');

const isHeaderWithWrongName = (document: OpenApiDocument, parameter: unknown): boolean => {
  const found = dereference(document, parameter);
  return isObject(found) && found.in === 'header' && !/^[\w!#$%&'*+.^`|~-]+$/.test(String(found.name));
};

/** Whether the target of a mapping (a reference or a schema name) does not exist in the document. */
function isDangling(document: OpenApiDocument, target: unknown): boolean {
  if (typeof target !== 'string') return false;
  if (/^\w+$/.test(target)) return !Object.hasOwn(document.components?.schemas ?? {}, target);
  return target.startsWith('#/') && targetOf(document, target) === undefined;
}

/** The rules by keyword. */
const repairRules: Rules = {
  ...schemaRules,
  /** Schema names become references. Without a target, no value can select the branch, so the entry has no effect. */
  mapping({ value, pointer, document }) {
    if (!isObject(value)) return undefined;
    const schemas = document.components?.schemas ?? {};
    const known = Object.entries(value).filter(([, target]) => !isDangling(document, target));
    const lost = Object.entries(value).filter(([, target]) => isDangling(document, target));
    const references = known.map(([name, target]) => [
      name,
      typeof target === 'string' && Object.hasOwn(schemas, target)
        ? `#/components/schemas/${escapePointer(target)}`
        : target,
    ]);
    const [first] = lost;
    return {
      value: Object.fromEntries(references),
      ...(first
        ? {
            sentence: `The discriminator at ${pointer} maps ${first[0]} to ${String(first[1])}, which does not exist. The mapping is ignored. Correct the name, or add the schema.`,
          }
        : {}),
    };
  },
  parameters({ value, pointer, document }) {
    if (!Array.isArray(value)) return undefined;
    const allowed = value.filter((each) => !isHeaderWithWrongName(document, each));
    if (allowed.length === value.length) return undefined;
    const sentence = `A header parameter at ${pointer} has a name that HTTP does not allow. It is ignored.`;
    return { value: allowed, sentence };
  },
  content({ value, pointer }) {
    if (!isObject(value)) return undefined;
    const wrong = Object.keys(value).filter((name) => !isMediaType(name));
    if (wrong.length === 0) return undefined;
    return {
      value: Object.fromEntries(Object.entries(value).filter(([name]) => isMediaType(name))),
      sentence: `${wrong.map((name) => JSON.stringify(name)).join(', ')} in the content at ${pointer} is no media type, and is ignored.`,
    };
  },
  requestBody({ value, pointer }) {
    if (!isObject(value) || !isObject(value.content)) return undefined;
    if (Object.keys(value.content).some(isMediaType)) return undefined;
    return { value: undefined, sentence: `The body at ${pointer} has no media type, and is ignored.` };
  },
};

/**
 * Declares the parameters that a path has and no operation describes, as any text, and removes path parameters that the path does
 * not have: no request can contain them.
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 */
export function repairPathParameters(document: OpenApiDocument): {
  document: OpenApiDocument;
  notes: Note[];
} {
  const notes: Note[] = [];
  const namesIn = (list: unknown): string[] =>
    listOf(list)
      .map((each) => dereference(document, each))
      .flatMap((each) => (isObject(each) && each.in === 'path' ? [String(each.name)] : []));
  const paths: Record<string, object> = {};
  for (const [path, given] of Object.entries(document.paths ?? {})) {
    const at = `/paths/${escapePointer(path)}`;
    const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name);
    /** Removes the parameters of a path item or an operation that the path does not have. */
    const withoutUnknown = (node: JsonObject, pointer: string): JsonObject => {
      const unknown = new Set(namesIn(node.parameters).filter((name) => !names.includes(name)));
      if (unknown.size === 0) return node;
      for (const name of unknown)
        notes.push({
          pointer: `${pointer}/parameters`,
          sentence: `The path parameter ${name} is declared, but the path ${path} has no {${name}}. It is ignored.`,
          fix: 'Remove the parameter, or add it to the path.',
        });
      const kept = listOf(node.parameters).filter(
        (each) => !namesIn([each]).some((name) => unknown.has(name)),
      );
      return { ...node, parameters: kept };
    };
    const item = withoutUnknown({ ...given }, at);
    const common = namesIn(item.parameters);
    for (const [method, operation] of Object.entries(item)) {
      if (!isHttpMethod(method) || !isObject(operation)) continue;
      const known = withoutUnknown(operation, `${at}/${method}`);
      const declared = new Set([...common, ...namesIn(known.parameters)]);
      const missing = [...new Set(names)].filter((name) => !declared.has(name));
      for (const name of missing)
        notes.push({
          pointer: `${at}/${method}`,
          sentence: `The path ${path} has {${name}}, but no parameter declares it. It is read as any text.`,
          fix: `Add to parameters: { name: ${name}, in: path, required: true, schema: … }`,
        });
      const added = missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
      item[method] =
        added.length === 0 ? known : { ...known, parameters: [...listOf(known.parameters), ...added] };
    }
    defineOwn(paths, path, item);
  }
  return { document: document.paths === undefined ? document : { ...document, paths }, notes };
}
