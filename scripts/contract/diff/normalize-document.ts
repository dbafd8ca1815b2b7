import { isObject } from '../../../server/lib/json-object.ts';
import { isIgnoredHeader } from '../../../server/pipeline/ignored-headers.ts';
import { httpMethods } from '../../lib/openapi-document.ts';
import { dereference, resolvePointer } from '../../testing/schema-values/json-pointer.ts';
import { isSchema, type JsonSchema } from '../../testing/schema-values/schema.ts';
import { mapsOfNames } from '../load/names-in-maps.ts';
import { isAnnotation, normalizeSchema } from './normalize-schema.ts';

type Node = Record<string, unknown>;

/** Descriptive keywords outside schemas. Changing them does not affect clients. */
const descriptive = ['summary', 'tags', 'termsOfService', 'contact', 'license'];

/** Defaults of parameters, headers and bodies. */
const defaults: Readonly<Record<string, unknown>> = {
  required: false,
  allowReserved: false,
  allowEmptyValue: false,
  deprecated: false,
};

/**
 * Normalizes a contract, so that equivalent contracts differ as little as possible: parameters and security move to
 * each operation, OpenAPI's default values are removed, schemas are normalized.
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 */
export function normalizeDocument(document: object): Node {
  const resolve = (reference: string): JsonSchema | undefined => {
    const found = reference.startsWith('#/') ? resolvePointer(document, reference.slice(1)) : undefined;
    return typeof found === 'boolean' || isObject(found) ? found : undefined;
  };
  const copy = (node: unknown, key: string): unknown => {
    if (Array.isArray(node)) return node.map((each) => copy(each, ''));
    if (!isObject(node)) return node;
    const plain = plainNode(node, key);
    return Object.fromEntries(
      Object.entries(plain)
        .filter(
          ([word, value]) =>
            key === 'map' ||
            !(
              isAnnotation(word) ||
              descriptive.includes(word) ||
              (Object.hasOwn(defaults, word) && defaults[word] === value)
            ),
        )
        .map(([word, value]) => {
          if (key !== 'map' && word === 'schema')
            return [word, isSchema(value) ? normalizeSchema(value, resolve) : value];
          if (key !== 'map' && word === 'security') return [word, value];
          if (key !== 'map' && word === 'content' && isObject(value)) return [word, copyContent(value)];
          return [word, copy(value, key !== 'map' && mapsOfNames.test(word) ? 'map' : '')];
        }),
    );
  };
  /**
   * Converts media types to lower case, because they are case-insensitive (RFC 9110, section 8.3.1). Replaces a missing
   * schema with `{}`, because both allow anything.
   */
  const copyContent = (content: Node): Node =>
    Object.fromEntries(
      Object.entries(content).map(([name, media]) => [
        name.toLowerCase(),
        isObject(media) && !('$ref' in media) ? { schema: {}, ...asObject(copy(media, '')) } : media,
      ]),
    );
  const root = isObject(document) ? document : {};
  const { components, paths, webhooks, security, info, servers, ...rest } = root;
  const { schemas = {}, ...shared } = isObject(components) ? components : {};
  return {
    ...asObject(copy(rest, '')),
    info: { title: '', version: isObject(info) ? info.version : '' },
    // Without servers, OpenAPI's default is a server with the URL `/`.
    servers: Array.isArray(servers) && servers.length > 0 ? copy(servers, '') : [{ url: '/' }],
    ...(isObject(paths) ? { paths: copy(withOwnParts(document, paths, security), 'map') } : {}),
    ...(isObject(webhooks) ? { webhooks: copy(withOwnParts(document, webhooks, undefined), 'map') } : {}),
    components: {
      ...asObject(copy(shared, '')),
      schemas: Object.fromEntries(
        Object.entries(asObject(schemas)).map(([name, schema]) => [
          name,
          isSchema(schema) ? normalizeSchema(schema, resolve) : schema,
        ]),
      ),
    },
  };
}

/** Copies the path's parameters and the document's security into each operation that does not override them. */
function withOwnParts(document: object, paths: Node, security: unknown): Node {
  const follow = (node: unknown): Node => asObject(dereference(document, node));
  return Object.fromEntries(
    Object.entries(paths).map(([path, given]) => {
      // A path item may have fields next to `$ref`. They apply, too.
      const { $ref: _, ...siblings } = asObject(given);
      const { parameters: common, ...item } = { ...follow(given), ...siblings };
      const whole = Object.fromEntries(
        Object.entries(item).map(([word, operation]) => {
          if (!httpMethods.some((method) => method === word) || !isObject(operation))
            return [word, operation];
          const own = listOf(operation.parameters);
          const nameOf = (parameter: unknown) =>
            `${String(follow(parameter).in)} ${String(follow(parameter).name)}`;
          const taken = new Set(own.map(nameOf));
          const parameters = [...own, ...listOf(common).filter((each) => !taken.has(nameOf(each)))].filter(
            (each) => !isIgnored(follow(each)),
          );
          return [
            word,
            {
              ...withoutParameters(operation),
              ...(parameters.length > 0 ? { parameters } : {}),
              ...(security !== undefined && operation.security === undefined ? { security } : {}),
            },
          ];
        }),
      );
      return [path, whole];
    }),
  );
}

const withoutParameters = ({ parameters: _, ...operation }: Node): Node => operation;

const isIgnored = ({ in: location, name }: Node): boolean =>
  location === 'header' && isIgnoredHeader(String(name));

/**
 * Converts an HTTP authentication scheme to lower case, removes default serialization from a parameter, and removes
 * `Content-Type` from headers.
 */
function plainNode(node: Node, key: string): Node {
  if (key === 'map') return node;
  if (node.type === 'http' && typeof node.scheme === 'string')
    return { ...node, scheme: node.scheme.toLowerCase() };
  if (typeof node.in === 'string') return plainParameter(node);
  const { headers } = node;
  if (!isObject(headers)) return node;
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type');
  const { headers: _, ...rest } = node;
  return kept.length > 0 ? { ...rest, headers: Object.fromEntries(kept) } : rest;
}

/** Removes `style` and `explode` from a parameter if they have their defaults (OpenAPI 3.1, section 4.8.12.2). */
function plainParameter(parameter: Node): Node {
  const defaultValue = parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple';
  const style = parameter.style ?? defaultValue;
  const { style: _style, explode, ...rest } = parameter;
  return {
    ...rest,
    ...(style === defaultValue ? {} : { style }),
    ...(explode === undefined || explode === (style === 'form') ? {} : { explode }),
  };
}

const asObject = (value: unknown): Node => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
