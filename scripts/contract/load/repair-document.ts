import { escapePointer } from '../../../server/lib/json-text.ts';
import { once } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { isHint } from '../../testing/schema-values/formats.ts';
import { dereference, resolvePointer } from '../../testing/schema-values/json-pointer.ts';
import { canonicalJson, isObject } from '../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';
import { isClosedByMistake } from './is-closed-by-mistake.ts';
import { holdsData, mapsOfNames } from './names-in-maps.ts';
import { reasonToIgnore } from './reason-to-ignore.ts';
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
 * - references to other parts of operations are replaced by these parts, because tools expect them in `components`
 * - media types without a slash are removed
 * - header parameters with names that HTTP does not allow are removed
 * - examples that contain references are removed, because OpenAPI does not resolve these references
 * - `oneOf` becomes `anyOf` if two branches are equal, or one includes another, because no value matches only that one
 * - properties that a schema requires but forbids become optional, or are allowed if `allOf` describes them
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
  const property = (node: Record<string, unknown>, name: string, pointer: string): unknown => {
    const value = node[name];
    if (name === 'nullable' && typeof value === 'boolean') return undefined;
    if (name === '$ref' && typeof value === 'string' && inlineSchema.test(value))
      return sharedReference(value);
    const reason =
      name === 'additionalProperties' && isClosedByMistake(document, node)
        ? `additionalProperties at ${pointer} forbids properties that its allOf requires. It is ignored.`
        : reasonToIgnore(node, name, pointer, context);
    if (reason !== undefined) {
      ignored.add(reason);
      return undefined;
    }
    if (name === 'pattern' && typeof value === 'string') return repairPattern(value);
    if (name === 'required' && Array.isArray(value)) {
      const forbidden = isClosedByMistake(document, node) ? [] : forbiddenNames(node, value);
      if (forbidden.length === 0) return value;
      ignored.add(
        `The schema at ${pointer} requires ${forbidden.join(', ')}, but forbids it. It is not required.`,
      );
      return value.filter((each) => !forbidden.includes(each));
    }
    if (name === 'requestBody' && hasNoMediaType(value)) {
      ignored.add(`The body at ${pointer} has no media type, and is ignored.`);
      return undefined;
    }
    if (name === 'parameters' && Array.isArray(value)) {
      const allowed = value.filter((each) => !hasWrongHeaderName(document, each));
      if (allowed.length < value.length)
        ignored.add(`A header parameter at ${pointer} has a name that HTTP does not allow. It is ignored.`);
      return visit(allowed, name, `${pointer}/${name}`);
    }
    return visit(value, name, `${pointer}/${escapePointer(name)}`);
  };
  const textOf = (schema: unknown) => canonicalJson(withoutAnnotations(dereference(document, schema)));
  const overlapOf = (branches: unknown[]): string | undefined => {
    const texts = branches.map(textOf);
    if (new Set(texts).size < texts.length) return 'equal branches, so no value matches exactly one';
    const includes = (branch: unknown): boolean => {
      const { allOf } = asObject(dereference(document, branch));
      return Array.isArray(allOf) && allOf.some((part) => texts.includes(textOf(part)));
    };
    return branches.some(includes)
      ? 'a branch that includes another, so no value matches only it'
      : undefined;
  };
  const entryOf = (node: Record<string, unknown>, name: string, pointer: string): [string, unknown] => {
    const value = property(node, name, pointer);
    if (name !== 'oneOf' || node.anyOf !== undefined || !Array.isArray(value)) return [name, value];
    const reason = overlapOf(value);
    if (reason === undefined) return [name, value];
    ignored.add(`oneOf at ${pointer} has ${reason}. It is read as anyOf.`);
    return ['anyOf', value];
  };
  const visitContent = (content: Record<string, unknown>, pointer: string) =>
    Object.fromEntries(
      Object.entries(content).flatMap(([type, media]) => {
        if (isMediaType(type)) return [[type, visit(media, 'member', `${pointer}/${escapePointer(type)}`)]];
        ignored.add(`${type} at ${pointer} is no media type, and is ignored.`);
        return [];
      }),
    );
  const visit = (node: unknown, key: string, pointer: string): unknown => {
    if (holdsData.test(key)) return node;
    if (Array.isArray(node)) return node.map((each, at) => visit(each, '', `${pointer}/${at}`));
    if (!isObject(node)) return node;
    if (typeof node.$ref === 'string' && partOfPath.test(node.$ref) && !inlineSchema.test(node.$ref))
      return visit(dereference(document, node), key, pointer);
    if (key === 'content') return visitContent(node, pointer);
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

const forbiddenNames = (schema: Record<string, unknown>, required: readonly unknown[]): unknown[] =>
  schema.additionalProperties === false && schema.patternProperties === undefined
    ? required.filter((name) => !Object.hasOwn(asObject(schema.properties), String(name)))
    : [];

const isMediaType = (name: string): boolean => name.includes('/');

const hasNoMediaType = (body: unknown): boolean =>
  isObject(body) && isObject(body.content) && !Object.keys(body.content).some(isMediaType);

function hasWrongHeaderName(document: OpenApiDocument, parameter: unknown): boolean {
  const { in: location, name } = asObject(dereference(document, parameter));
  return location === 'header' && !/^[\w!#$%&'*+.^`|~-]+$/.test(String(name));
}

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
    !mapsOfNames.test(key) &&
    /^(title|description|default|examples?|content(Encoding|MediaType)|x-.*)$/.test(name);
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name, each]) => !isAnnotation(name) && !(name === 'format' && isHint(each)))
      .map(([name, each]) => [name, withoutAnnotations(each, name)]),
  );
}

/** Matches references to unnamed schemas: in operations, in components other than schemas, or inside a named schema. */
const inlineSchema =
  /^#\/((paths|components\/(responses|requestBodies|parameters|headers))\/.*\/schema(\/|$)|components\/schemas\/[^/]+\/.)/;
/** Matches references to parts of operations, such as parameters. */
const partOfPath = /^#\/paths\/[^/]+\/./;
/** Returns a name for a part of a named schema, such as `Order_status`; empty for other references. */
const nameOfPart = (reference: string): string =>
  (/^#\/components\/schemas\/(.+)$/.exec(reference)?.[1] ?? '')
    .replaceAll(/\/(properties|definitions|\$defs|items|allOf|oneOf|anyOf)(?=\/|$)/g, '')
    .replaceAll(/[^\w.-]+/g, '_');
const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
