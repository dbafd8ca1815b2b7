import { isObject } from '../../../server/lib/json-object.ts';
import { readYaml } from '../../support/documents.ts';

/** Adds a payload to a text. The original text stays at the beginning, so that different texts stay different. */
export type Attack = (text: string) => string;

/** A small contract, with an invalid example and an unknown keyword. */
export const bookDocument: Record<string, unknown> = readYaml(import.meta.dirname, 'invalid-book.yaml');

/** The parts that a document can contain besides the parts of Parley's own contract. */
const richParts: Record<
  'info' | 'paths' | 'webhooks' | 'schemas' | 'securitySchemes' | 'servers' | 'tags',
  object
> = readYaml(import.meta.dirname, 'rich-parts.yaml');

/** Adds every kind of part to a document that it does not have. */
export function withRichParts(document: Record<string, unknown>): Record<string, unknown> {
  const { info, paths, webhooks, schemas, securitySchemes, servers, tags, ...others } = richParts;
  const merged = (name: string, parts: object) => ({ ...childOf(document, name), ...parts });
  const components = childOf(document, 'components');
  return {
    ...document,
    ...others,
    info: merged('info', info),
    paths: merged('paths', paths),
    webhooks: merged('webhooks', webhooks),
    servers: [document.servers ?? [], servers].flat(),
    tags: [document.tags ?? [], tags].flat(),
    components: {
      ...components,
      schemas: { ...childOf(components, 'schemas'), ...schemas },
      securitySchemes: { ...childOf(components, 'securitySchemes'), ...securitySchemes },
    },
  };
}

const childOf = (node: Record<string, unknown>, name: string): Record<string, unknown> => {
  const child = node[name];
  return isObject(child) ? child : {};
};

/** Fields whose values the specification restricts. */
const restricted = '$ref $schema $id $anchor openapi jsonSchemaDialect in type style scheme'.split(' ');
/** Fields that most attacked values would violate. */
const limits = 'maxLength contentEncoding contentMediaType format'.split(' ');
/** Fields whose children have names that the author chooses, and names that the specification or references fix. */
const chosenNames =
  'properties patternProperties dependentRequired headers examples variables scopes callbacks links webhooks paths'.split(
    ' ',
  );
const fixedNames = 'responses content encoding flows $defs'.split(' ');

/**
 * Replaces every string of a document, and every name that the specification lets the author choose.
 * @param attack adds the payload; equal texts get equal results, so references between names stay valid
 */
export function attackedDocument(document: Record<string, unknown>, attack: Attack): Record<string, unknown> {
  const data = (value: unknown, attackKey: Attack = attack): unknown => {
    if (typeof value === 'string') return attack(value);
    if (Array.isArray(value)) return value.map((each) => data(each, attackKey));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [attackKey(key), data(inner, attackKey)]),
    );
  };
  const nameIn = (field: string, key: string): string => {
    if (field === 'paths') return attackedPath(key, attack);
    if (field === 'patternProperties') return attackedPattern(key, attack);
    if (field === 'headers') return attackedName({ in: 'header', name: key }, attack);
    return chosenNames.includes(field) ? attack(key) : key;
  };
  const visitChildren = (value: object, field = ''): object =>
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [nameIn(field, key), visit(inner, '')]));
  const visit = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => visit(each, field === 'parameters' ? '' : field));
    if (typeof value === 'string') return restricted.includes(field) ? value : attack(value);
    if (!isObject(value)) return value;
    if (field === 'security')
      return Object.fromEntries(Object.entries(value).map(([scheme, scopes]) => [scheme, data(scopes)]));
    if (field === 'components')
      return Object.fromEntries(
        Object.entries(value).map(([part, inner]) => [part, visitChildren({ ...Object(inner) })]),
      );
    if (field === 'mapping')
      return Object.fromEntries(Object.entries(value).map(([key, target]) => [attack(key), target]));
    if ([...chosenNames, ...fixedNames].includes(field)) return visitChildren(value, field);
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !limits.includes(key))
        .map(([key, inner]) => [
          key,
          key === 'name' && typeof inner === 'string' && typeof value.in === 'string'
            ? attackedName({ in: value.in, name: inner }, attack)
            : visitField(key, inner),
        ]),
    );
  };
  const visitField = (key: string, value: unknown): unknown => {
    // Tools read fields of some extensions.
    if (key.startsWith('x-')) return data(value, (name) => name);
    if (isData(key, value)) return data(value);
    if (key === 'pattern' && typeof value === 'string') return attackedPattern(value, attack);
    return visit(value, key);
  };
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, visitField(key, value)]));
}

/** Whether a field contains a value of the API, not a part of the document. */
const isData = (key: string, value: unknown): boolean =>
  ['example', 'default', 'enum', 'const', 'value'].includes(key) ||
  (key === 'examples' && Array.isArray(value));

/** Any text matches the pattern, so that attacked values stay valid. */
const attackedPattern = (pattern: string, attack: Attack): string =>
  `^[^]*$|${attack(pattern).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`;

const attackedPath = (path: string, attack: Attack): string =>
  path.replaceAll(/\{([^}]*)\}|([^/{}]+)/g, (_all, variable?: string, segment = '') =>
    variable === undefined
      ? attackedName({ in: 'path', name: segment }, attack)
      : `{${attackedName({ in: 'path', name: variable }, attack)}}`,
  );

/** Attacks the name of a parameter. Some characters have a meaning in paths, and HTTP allows few in header names. */
function attackedName({ in: location, name }: { in: string; name: string }, attack: Attack): string {
  const attacked = attack(name);
  if (location === 'path') return attacked.replaceAll(/[{}/?#]/g, '');
  return location === 'header' ? attacked.replaceAll(/[^\w!#$%&'*+.^`|~-]/g, '') : attacked;
}
