import { hasJsonType } from '../../lib/json-type.ts';
import { defineOwn, ownOf } from '../../lib/own-property.ts';
import { type DocumentNode, isDocumentNode } from '../document-node.ts';
import { isIgnoredHeader } from '../ignored-headers.ts';
import type { ContractDocument } from '../operation.ts';
import { completeParameters } from './complete-parameters.ts';
import { holdsData, holdsNames } from './keywords.ts';
import { resolve } from './read-operations.ts';
import { removeUnionDefaults } from './remove-union-defaults.ts';

const defaultStyles: Readonly<Record<string, string>> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
};

/**
 * Copies a document for express-openapi-validator, and writes out the default parameter styles, which OpenAPI implies
 * but the validator expects explicitly. It also removes defaults that would change what a client sent: those of
 * required values, which would make a missing value valid, those that violate their own schema, and those of branches
 * that may not apply.
 */
export function prepareDocument<Document extends ContractDocument>(document: Document): Document {
  const copy: Document = JSON.parse(JSON.stringify(document));
  completeParameters(copy);
  visit(copy);
  removeUnionDefaults(copy);
  prepareReferences(copy, copy);
  return copy;
}

/** @param isMap whether the node's keys are names (of properties, for example), which may equal keywords */
function visit(node: unknown, isMap = false): void {
  if (Array.isArray(node)) for (const each of node) visit(each);
  if (!isDocumentNode(node)) return;
  if (!isMap) {
    prepareParameter(node);
    prepareSchema(node);
  }
  for (const [name, each] of Object.entries(node))
    if (isMap || !holdsData.test(name)) visit(each, !isMap && holdsNames.test(name));
}

function prepareParameter(node: DocumentNode): void {
  const style =
    typeof node.in === 'string' && typeof node.name === 'string' ? defaultStyles[node.in] : undefined;
  if (style === undefined) return;
  if (node.in === 'header' && isIgnoredHeader(String(node.name))) {
    delete node.content;
    Object.assign(node, { required: false, schema: {} });
  }
  const [content] = Object.entries(isDocumentNode(node.content) ? node.content : {});
  // The validator cannot read ranges of media types. The value is then what the schema says.
  if (content?.[0].includes('*') && isDocumentNode(content[1])) {
    delete node.content;
    node.schema = content[1].schema;
  }
  if (node.content !== undefined) return;
  node.style ??= style;
  node.explode ??= node.style === 'form';
  if (!isDocumentNode(node.schema)) return;
  const schema = withoutNull(node.schema);
  node.schema = schema;
  if (node.required === true) delete schema.default;
  // The validator would take a missing object for an empty one.
  if (node.style === 'deepObject' && schema.required !== undefined)
    node.schema = { type: 'object', allOf: [schema] };
}

function prepareSchema(node: DocumentNode): void {
  // A default would be filled in, and then be rejected, because clients may not send the property.
  if (node.readOnly === true) delete node.default;
  if ('default' in node && 'type' in node && !hasJsonType(node.default, [node.type].flat()))
    delete node.default;
  if (!Array.isArray(node.required) || !isDocumentNode(node.properties)) return;
  for (const name of node.required.map(String)) {
    const property = ownOf(node.properties, name);
    if (isDocumentNode(property)) delete property.default;
  }
}

/**
 * Repeats `readOnly` and `writeOnly` of a required property next to its `$ref`, because the validator looks for them
 * only there. Only properties can be read-only or write-only, so bodies, parameters and items of arrays lose these
 * keywords.
 * @param isMap whether the node's keys are names, which may equal keywords
 */
function prepareReferences(node: unknown, document: ContractDocument, isMap = false): void {
  if (Array.isArray(node)) for (const each of node) prepareReferences(each, document);
  if (!isDocumentNode(node)) return;
  const { required, properties } = isMap ? {} : node;
  if (Array.isArray(required) && isDocumentNode(properties))
    for (const name of required.map(String)) {
      const property = ownOf(properties, name);
      if (!isDocumentNode(property) || typeof property.$ref !== 'string') continue;
      const { readOnly, writeOnly } = resolve(document, property);
      if (readOnly === true) defineOwn(properties, name, { readOnly, allOf: [property] });
      if (writeOnly === true) defineOwn(properties, name, { writeOnly, allOf: [property] });
    }
  for (const key of isMap ? [] : ['schema', 'items']) {
    const inner = node[key];
    if (isDocumentNode(inner)) node[key] = withoutAccess(inner, document);
  }
  for (const [name, each] of Object.entries(node))
    prepareReferences(each, document, !isMap && holdsNames.test(name));
}

/** Maximum depth of nested `allOf`. It may be circular. */
const maxDepth = 10;

/** Removes `readOnly` and `writeOnly` from a schema and from the parts of its `allOf`. */
function withoutAccess(given: DocumentNode, document: ContractDocument, depth = 0): DocumentNode {
  const { readOnly, writeOnly, ...schema } = resolve(document, given);
  const parts: unknown[] = Array.isArray(schema.allOf) && depth < maxDepth ? schema.allOf : [];
  const allOf = parts.map((part) => (isDocumentNode(part) ? withoutAccess(part, document, depth + 1) : part));
  const isChanged = allOf.some((part, index) => part !== parts[index]);
  if (readOnly !== true && writeOnly !== true && !isChanged) return given;
  return isChanged ? { ...schema, allOf } : schema;
}

/** Removes null from a parameter's types: a parameter is never null, and the validator parses only single types. */
function withoutNull(schema: DocumentNode): DocumentNode {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.length === 2 && type.includes('null'))
    return { ...schema, type: type.find((each) => each !== 'null') };
  if (!Array.isArray(anyOf) || type !== undefined) return schema;
  const [only, ...others] = anyOf.filter((each) => !isDocumentNode(each) || each.type !== 'null');
  return isDocumentNode(only) && others.length === 0 ? { ...rest, ...only } : schema;
}
