import { escapePointer, unescapePointer } from '../../lib/json-text.ts';
import { defineOwn, ownOf } from '../../lib/own-property.ts';
import { type DocumentNode, isDocumentNode, nodeOf } from '../document-node.ts';
import { holdsData, holdsNames } from './keywords.ts';

const unions = /^(anyOf|oneOf|not|if|contains)$/;
const sharedSchemas = '#/components/schemas/';

/**
 * Removes the defaults of request schemas that Ajv would fill in before it knows whether their branch of an `anyOf` or
 * `oneOf` applies: the other branches would then reject the value, or the handler would receive properties that the
 * client did not send. Ajv itself ignores the defaults in a branch, but not those of every shared schema to which
 * the branch refers. Such references are changed: they lead to a copy of the schema without defaults.
 *
 * The branches of a body with a discriminator keep their defaults, because its validator chooses one of them first.
 * @param document a bundled OpenAPI document, which is changed
 */
export function removeUnionDefaults(document: { components?: unknown; paths?: unknown }): void {
  const components = nodeOf(document.components);
  const schemas = nodeOf(components.schemas);
  const withDefaults = namesWithDefaults(schemas);
  if (withDefaults.size === 0) return;
  const visited = new Set<string>();
  const copies = new Map<string, string>();

  const copyOf = (name: string): string => {
    const known = copies.get(name);
    if (known !== undefined) return known;
    const copy = unusedName(schemas, `${name}WithoutDefaults`);
    copies.set(name, copy);
    const schema = structuredClone(ownOf(schemas, name));
    defineOwn(schemas, copy, schema);
    visitSchema(schema, true);
    return copy;
  };
  const visitReference = (node: DocumentNode, inUnion: boolean, isBody: boolean): void => {
    const name = nameIn(node.$ref);
    if (name === undefined || !withDefaults.has(name)) return;
    if (inUnion || (!isBody && hasDiscriminator(ownOf(schemas, name))))
      node.$ref = `${sharedSchemas}${escapePointer(copyOf(name))}`;
    else if (!visited.has(name)) {
      visited.add(name);
      visitSchema(ownOf(schemas, name), false, isBody);
    }
  };
  const visitSchema = (schema: unknown, inUnion: boolean, isBody = false): void => {
    if (!isDocumentNode(schema)) return;
    if (isBody && hasDiscriminator(schema)) {
      for (const branch of [schema.oneOf, schema.anyOf].flat()) visitSchema(branch, false);
      const { oneOf: _oneOf, anyOf: _anyOf, ...rest } = schema;
      visitSchema(rest, false);
      return;
    }
    for (const part of schemasIn(schema, inUnion)) {
      if (part.inUnion) delete part.schema.default;
      visitReference(part.schema, part.inUnion, isBody && part.schema === schema);
    }
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isDocumentNode(node)) return;
    for (const [key, each] of Object.entries(node)) {
      if (key === 'schema') visitSchema(each, false, !('in' in node));
      else if (!/^(responses|callbacks|examples?)$/.test(key)) visit(each);
    }
  };
  for (const part of [document.paths, components.requestBodies, components.parameters]) visit(part);
}

/** Returns the names of the schemas that have defaults, or refer to a schema that has some. */
function namesWithDefaults(schemas: DocumentNode): Set<string> {
  const found = new Set<string>();
  const referrers = new Map<string, string[]>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const referrer of referrers.get(name) ?? []) add(referrer);
  };
  const own: string[] = [];
  for (const [name, root] of Object.entries(schemas))
    for (const { schema } of schemasIn(root)) {
      if ('default' in schema) own.push(name);
      const target = nameIn(schema.$ref);
      if (target !== undefined) referrers.set(target, [...(referrers.get(target) ?? []), name]);
    }
  for (const name of own) add(name);
  return found;
}

/** Lists a schema and the schemas inside it, and whether each of them is in a union. */
function* schemasIn(
  node: unknown,
  inUnion = false,
  isMap = false,
): Generator<{ schema: DocumentNode; inUnion: boolean }> {
  if (Array.isArray(node)) for (const each of node) yield* schemasIn(each, inUnion);
  if (!isDocumentNode(node)) return;
  if (!isMap) yield { schema: node, inUnion };
  for (const [key, each] of Object.entries(node))
    if (isMap) yield* schemasIn(each, inUnion);
    else if (!holdsData.test(key)) yield* schemasIn(each, inUnion || unions.test(key), holdsNames.test(key));
}

const hasDiscriminator = (schema: unknown): boolean =>
  isDocumentNode(schema) && isDocumentNode(schema.discriminator) && ('oneOf' in schema || 'anyOf' in schema);

function nameIn(reference: unknown): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith(sharedSchemas)) return undefined;
  const name = reference.slice(sharedSchemas.length);
  return name.includes('/') ? undefined : unescapePointer(decodeURIComponent(name));
}

function unusedName(schemas: DocumentNode, wanted: string): string {
  return Object.hasOwn(schemas, wanted) ? unusedName(schemas, `${wanted}_`) : wanted;
}
