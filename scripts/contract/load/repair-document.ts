import { escapePointer } from '../../../server/lib/json-text.ts';
import { hasJsonType } from '../../../server/lib/json-type.ts';
import { once } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { dereference, resolvePointer } from '../../testing/schema-values/json-pointer.ts';
import { canonicalJson, isObject, isSchema } from '../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';
import { holdsData, mapsOfNames } from './names-in-maps.ts';
import { repairPattern } from './repair-pattern.ts';

export interface RepairedDocument {
  document: OpenApiDocument;
  /** Sentences about parts that were left out. */
  ignored: string[];
}

/**
 * Rewrites parts that not every tool understands, and rewrites or removes parts that contradict themselves:
 * - `nullable`, which OpenAPI 3.1 does not have, is removed
 * - `$id` is removed, because the references of a bundled document lead to its parts, not to identifiers
 * - schema names in a discriminator's mapping become references
 * - references to unnamed schemas become references to shared schemas
 * - examples that contain references are removed, because OpenAPI does not resolve these references
 * - `oneOf` with equal branches becomes `anyOf`, because a value that matches one of them also matches the other
 * - enums without values, or without a value of the schema's type, are removed, because they allow no value
 * - defaults that violate their own schema, or are too large for JavaScript, are removed
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 */
export function repairDocument(document: OpenApiDocument): RepairedDocument {
  const ignored = new Set<string>();
  const context = once(() => createSchemaContext(withoutNullable(document)));
  const schemas = new Map<string, string>();

  /** Returns the reference to a shared schema that replaces a reference to an unnamed schema. */
  const sharedReference = (reference: string): string => {
    const name = schemas.get(reference) ?? unusedName(nameOfPart(reference));
    schemas.set(reference, name);
    return `#/components/schemas/${name}`;
  };
  const unusedName = (wanted: string): string => {
    const taken = new Set([...Object.keys(document.components?.schemas ?? {}), ...schemas.values()]);
    if (wanted !== '' && !taken.has(wanted)) return wanted;
    let number = 1;
    while (taken.has(`${wanted || 'Shared'}${number}`)) number += 1;
    return `${wanted || 'Shared'}${number}`;
  };
  const isBrokenDefault = (node: Record<string, unknown>, pointer: string): boolean => {
    const schema = resolvePointer(context().document, pointer);
    try {
      return isSchema(schema) && !context().isValid(schema, node.default);
    } catch {
      return false;
    }
  };
  const property = (node: Record<string, unknown>, name: string, pointer: string): unknown => {
    const value = node[name];
    if (name === 'nullable' && typeof value === 'boolean') return undefined;
    if (name === '$ref' && typeof value === 'string' && inlineSchema.test(value))
      return sharedReference(value);
    if (name === '$id' && typeof value === 'string') {
      ignored.add('Identifiers of schemas ($id) are ignored: references lead to parts of the document.');
      return undefined;
    }
    if (name === 'pattern' && typeof value === 'string') {
      const pattern = repairPattern(value);
      if (pattern === undefined)
        ignored.add(`The pattern at ${pointer} is no regular expression of JavaScript, and is ignored.`);
      return pattern;
    }
    if (name === 'enum' && Array.isArray(value) && value.length === 0) {
      ignored.add(`The enum at ${pointer} is empty, so no value would be valid. It is ignored.`);
      return undefined;
    }
    if (name === 'enum' && Array.isArray(value) && hasOtherType(value, node.type)) {
      ignored.add(
        `No value of the enum at ${pointer} has the type that the schema demands. The enum is ignored.`,
      );
      return undefined;
    }
    if (isExampleWithReference(name, value)) {
      ignored.add('Examples with references are ignored, because OpenAPI does not resolve them.');
      return undefined;
    }
    if (name === 'default' && node.format === 'int64' && isInexactInteger(value)) {
      ignored.add(
        `The default at ${pointer} exceeds 2^53-1, so JavaScript does not represent it exactly. It is ignored.`,
      );
      return undefined;
    }
    if (name === 'default' && isBrokenDefault(node, pointer)) {
      ignored.add(`The default at ${pointer} violates its own schema, and is ignored.`);
      return undefined;
    }
    return visit(value, name, `${pointer}/${escapePointer(name)}`);
  };
  const entryOf = (node: Record<string, unknown>, name: string, pointer: string): [string, unknown] => {
    const value = property(node, name, pointer);
    if (name !== 'oneOf' || node.anyOf !== undefined || !Array.isArray(value)) return [name, value];
    const branches = value.map((each) => canonicalJson(withoutAnnotations(dereference(document, each))));
    if (new Set(branches).size === branches.length) return [name, value];
    ignored.add(
      `oneOf at ${pointer} has equal branches, so no value matches exactly one. It is read as anyOf.`,
    );
    return ['anyOf', value];
  };
  const visit = (node: unknown, key: string, pointer: string): unknown => {
    if (holdsData.test(key)) return node;
    if (Array.isArray(node)) return node.map((each, at) => visit(each, '', `${pointer}/${at}`));
    if (!isObject(node)) return node;
    if (key === 'mapping') return asReferences(document, node);
    const entries = Object.keys(node).map((name): [string, unknown] =>
      mapsOfNames.test(key)
        ? [name, visit(node[name], 'member', `${pointer}/${escapePointer(name)}`)]
        : entryOf(node, name, pointer),
    );
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  };

  const repaired: OpenApiDocument = { ...document, ...asObject(visit(document, '', '')) };
  // A shared schema may refer to further schemas inside of `paths`.
  const shared: Record<string, object> = {};
  for (const [reference, name] of schemas)
    shared[name] = asObject(visit(resolvePointer(document, reference.slice(1)), '', reference.slice(1)));
  if (schemas.size > 0)
    repaired.components = {
      ...repaired.components,
      schemas: { ...repaired.components?.schemas, ...shared },
    };
  return { document: repaired, ignored: [...ignored] };
}

const hasOtherType = (values: unknown[], type: unknown): boolean =>
  type !== undefined && !values.some((value) => hasJsonType(value, [type].flat()));

const isInexactInteger = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

/** Ajv rejects `nullable` without a type. */
const withoutNullable = (document: object): object =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'nullable' && typeof value === 'boolean' ? undefined : value,
  );

const asReferences = ({ components = {} }: OpenApiDocument, mapping: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(mapping).map(([value, target]) => [
      value,
      typeof target === 'string' && Object.hasOwn(components.schemas ?? {}, target)
        ? `#/components/schemas/${escapePointer(target)}`
        : target,
    ]),
  );

function withoutAnnotations(node: unknown, key = ''): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutAnnotations(each));
  if (!isObject(node)) return node;
  const isAnnotation = (name: string) =>
    !mapsOfNames.test(key) && /^(title|description|default|examples?|x-.*)$/.test(name);
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !isAnnotation(name))
      .map(([name, each]) => [name, withoutAnnotations(each, name)]),
  );
}

/** Whether a value of an example, rather than the example itself, contains a reference. */
const isExampleWithReference = (name: string, value: unknown): boolean =>
  (name === 'example' || (name === 'examples' && Array.isArray(value)) || name === 'value') &&
  containsReference(value);

const containsReference = (value: unknown): boolean => JSON.stringify(value)?.includes('"$ref":') ?? false;
/** Matches references to unnamed schemas: in operations, in components other than schemas, or inside a named schema. */
const inlineSchema =
  /^#\/((paths|components\/(responses|requestBodies|parameters|headers))\/.*\/schema(\/|$)|components\/schemas\/[^/]+\/.)/;
/** Returns a name for a part of a named schema, such as `Order_status`; empty for other references. */
const nameOfPart = (reference: string): string =>
  (/^#\/components\/schemas\/(.+)$/.exec(reference)?.[1] ?? '')
    .replaceAll(/\/(properties|definitions|\$defs|items|allOf|oneOf|anyOf)(?=\/|$)/g, '')
    .replaceAll(/[^\w.-]+/g, '_');
const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
