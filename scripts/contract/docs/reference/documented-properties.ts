import { type JsonObject, listOf } from '../../../../server/lib/json-object.ts';
import { mergeOwn } from '../../../../server/lib/own-property.ts';
import type { Contract } from '../../model/contract.ts';
import type { Parameter } from '../../model/operation.ts';
import { listIn, nodeIn, resolveNode, textIn } from './nodes.ts';
import type { Property } from './property-list.ts';

/** Deeper properties are left out, because recursive schemas never end. */
const maxDepth = 4;

/**
 * Lists the properties of a schema and of the schemas inside it, in the order of the contract.
 * @param direction read-only properties are left out of requests, and write-only ones of responses. Only requests say which
 * properties are required
 */
export function documentedProperties(
  contract: Contract,
  schema: unknown,
  direction: 'request' | 'response',
  depth = 0,
): Property[] {
  const node = merged(contract, schema);
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  if (depth > maxDepth) return [];
  const isList = [node.type ?? []].flat().includes('array') && node.properties === undefined;
  if (isList) return documentedProperties(contract, node.items, direction, depth);
  const required = direction === 'request' ? listIn(node, 'required') : [];
  return Object.entries(nodeIn(node, 'properties')).flatMap(([name, inner]) => {
    const own = merged(contract, inner);
    if (own[hidden] === true) return [];
    return {
      name,
      type: typeText(contract, own),
      isRequired: required.includes(name),
      description: textIn(own, 'description').trim(),
      properties: documentedProperties(contract, own, direction, depth + 1),
    };
  });
}

/** Returns a parameter or a header. */
export const parameterProperty = (
  contract: Contract,
  { name, node, required }: Pick<Parameter, 'name' | 'node' | 'required'>,
): Property => ({
  name,
  type: typeText(contract, node.schema ?? {}),
  isRequired: required,
  description: textIn(node, 'description').trim(),
  properties: [],
});

/** Returns the values of a parameter from which readers choose, as text; none if they can write others. */
export function choicesOf(contract: Contract, { node }: Pick<Parameter, 'node'>): string[] {
  const { type, enum: values } = merged(contract, node.schema);
  return (type === 'boolean' ? [true, false] : listOf(values)).map(String);
}

/** Describes the values that a schema allows: `string (date-time) or null, at most 100 characters`. */
export function typeText(contract: Contract, schema: unknown, depth = 0): string {
  const node = merged(contract, schema);
  const branches = [...listIn(node, 'oneOf'), ...listIn(node, 'anyOf')];
  if (branches.length > 0 && node.properties === undefined && depth < 3)
    return [...new Set(branches.map((branch) => typeText(contract, branch, depth + 1)))].join(' or ');
  const format = textIn(node, 'format');
  const types = [node.type ?? []].flat().map(String);
  const text = types
    .map((type) => {
      if (type === 'array')
        return `array of ${depth < 3 ? typeText(contract, node.items ?? {}, depth + 1) : 'values'}`;
      return format !== '' && type !== 'null' ? `${type} (${format})` : type;
    })
    .join(' or ');
  const untyped = node.properties === undefined ? 'any value' : 'object';
  return [text || untyped, ...limitsOf(node)].join(', ');
}

function limitsOf(node: JsonObject): string[] {
  const names = listIn(node, 'x-enum-varnames');
  const values = listIn(node, 'enum').map((value, at) =>
    names[at] === undefined ? JSON.stringify(value) : `${JSON.stringify(value)} (${names[at]})`,
  );
  const phrases: [string, string][] = [
    ['minimum', 'at least %'],
    ['exclusiveMinimum', 'more than %'],
    ['maximum', 'at most %'],
    ['exclusiveMaximum', 'less than %'],
    ['minLength', 'at least % character(s)'],
    ['maxLength', 'at most % characters'],
    ['minItems', 'at least % item(s)'],
    ['maxItems', 'at most % items'],
    ['default', 'default %'],
  ];
  return [
    ...(values.length > 0 ? [`one of ${values.join(', ')}`] : []),
    ...(node.const === undefined ? [] : [JSON.stringify(node.const)]),
    ...phrases.flatMap(([keyword, phrase]) =>
      // This limit only says that JavaScript can read the number.
      node[keyword] === undefined || node[keyword] === Number.MAX_SAFE_INTEGER
        ? []
        : [phrase.replace('%', JSON.stringify(node[keyword])).replace('(s)', node[keyword] === 1 ? '' : 's')],
    ),
  ];
}

/** Merges `allOf` into a schema. */
export function merged(contract: Contract, schema: unknown, depth = 0): JsonObject {
  const node = resolveNode(contract, schema);
  const parts = listIn(node, 'allOf');
  if (parts.length === 0 || depth > maxDepth) return node;
  const all = [...parts.map((part) => merged(contract, part, depth + 1)), node];
  return {
    ...mergeOwn(all),
    properties: mergeOwn(all.map((part) => nodeIn(part, 'properties'))),
    required: all.flatMap((part) => listIn(part, 'required')),
  };
}
