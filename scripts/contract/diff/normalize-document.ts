import { bodyFormatOf } from '../../../server/contract/media-type.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { targetOf } from '../../lib/json-pointer.ts';
import { isHttpMethod } from '../../lib/openapi-document.ts';
import { isSchema, type JsonSchema } from '../../testing/schema-values/schema.ts';
import { mapsOfNames } from '../load/visit-objects.ts';
import type { Contract } from '../model/contract.ts';
import { isIgnoredHeader, mergeParameters } from '../model/read-parameters.ts';
import { isAnnotation, normalizeSchema } from './normalize-schema.ts';

/** Descriptive keywords outside schemas. Changing them does not affect clients. */
const descriptive = ['summary', 'tags', 'termsOfService', 'contact', 'license'];

/** Defaults of parameters, headers and bodies. */
const defaults: Readonly<Record<string, unknown>> = {
  required: false,
  allowReserved: false,
  allowEmptyValue: false,
  deprecated: false,
};

/** Returns a schema, or the target of its reference. */
type FollowSchema = (schema: unknown) => JsonObject;

/**
 * Normalizes a contract, so that equivalent contracts differ as little as possible: parameters and security move to
 * each operation, OpenAPI's default values are removed, schemas are normalized.
 */
export function normalizeDocument(contract: Contract): JsonObject {
  const { document } = contract;
  const resolve = (reference: string): JsonSchema | undefined => {
    const found = targetOf(document, reference);
    return isSchema(found) ? found : undefined;
  };
  const target: FollowSchema = (schema) =>
    isObject(schema) && typeof schema.$ref === 'string' ? objectOf(resolve(schema.$ref)) : objectOf(schema);
  const copy = (node: unknown, key: string): unknown => {
    if (Array.isArray(node)) return node.map((each) => copy(each, ''));
    if (!isObject(node)) return node;
    const plain = plainNode(node, key, target);
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
  /** Replaces a missing schema with `{}`, because both allow anything. Bodies of text are strings. */
  const copyContent = (content: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(content).map(([name, media]) => {
        const plain = plainMediaType(name);
        // Two spellings of one type stay apart.
        const type = plain !== name && Object.hasOwn(content, plain) ? name : plain;
        if (!isObject(media) || '$ref' in media) return [type, media];
        const { schema = {}, encoding, ...rest } = objectOf(copy(media, ''));
        const format = bodyFormatOf(name);
        const isForm = format === 'form' || plain.startsWith('multipart/');
        const parts = isForm ? plainEncoding(objectOf(encoding), schema, target) : undefined;
        return [
          type,
          {
            schema:
              format === 'text'
                ? onlyStrings(schema)
                : format === 'bytes' && saysOnlyBytes(schema)
                  ? {}
                  : schema,
            ...(parts ? { encoding: parts } : {}),
            ...rest,
          },
        ];
      }),
    );
  const { components, paths, webhooks, security, info, servers, ...rest } = document;
  const { schemas = {}, ...shared } = isObject(components) ? components : {};
  return {
    ...objectOf(copy(rest, '')),
    info: { title: '', version: isObject(info) ? info.version : '' },
    // Without servers, OpenAPI's default is a server with the URL `/`.
    servers: Array.isArray(servers) && servers.length > 0 ? copy(servers, '') : [{ url: '/' }],
    ...(isObject(paths) ? { paths: copy(withOwnParts(contract, paths, security), 'map') } : {}),
    ...(isObject(webhooks) ? { webhooks: copy(withOwnParts(contract, webhooks, undefined), 'map') } : {}),
    components: {
      ...objectOf(copy(shared, '')),
      schemas: Object.fromEntries(
        Object.entries(objectOf(schemas)).map(([name, schema]) => [
          name,
          isSchema(schema) ? normalizeSchema(schema, resolve) : schema,
        ]),
      ),
    },
  };
}

/** Copies the path's parameters and the document's security into each operation that does not override them. */
function withOwnParts(contract: Contract, paths: JsonObject, security: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(paths).map(([path, given]) => {
      const { node, siblings } = contract.follow(given);
      // A path item may have fields next to `$ref`. They apply, too.
      const { parameters: common, ...item } = { ...node, ...siblings };
      const whole = Object.entries(item).map(([word, operation]) => {
        if (!isHttpMethod(word) || !isObject(operation)) return [word, operation];
        const merged = mergeParameters(contract, { item: { parameters: common }, node: operation });
        const parameters = [
          ...listOf(operation.parameters),
          ...merged.filter(({ isCommon }) => isCommon).map((each) => each.given),
        ].filter((each) => !isIgnored(contract.follow(each).node));
        return [
          word,
          {
            ...withoutParameters(operation),
            ...(parameters.length > 0 ? { parameters } : {}),
            ...(security !== undefined && operation.security === undefined ? { security } : {}),
          },
        ];
      });
      return [path, Object.fromEntries(whole)];
    }),
  );
}

/**
 * Converts a media type to lower case, because it is case-insensitive (RFC 9110, section 8.3.1), and removes a charset of
 * UTF-8, which is the only one that is read.
 */
export function plainMediaType(name: string): string {
  const [type = '', ...parameters] = name
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const others = parameters.filter((each) => !['charset=utf-8', 'charset="utf-8"'].includes(each));
  // Their order has no meaning.
  return [type, ...others.sort()].join('; ');
}

/**
 * Removes what has no effect on the parts of a form: defaults, and what is said of other properties (OpenAPI 3.1, section
 * 4.8.15). @returns undefined if nothing is left
 */
function plainEncoding(encoding: JsonObject, schema: unknown, target: FollowSchema): JsonObject | undefined {
  const { properties } = target(schema);
  const parts = Object.entries(encoding).flatMap(([name, part]) => {
    const { contentType, ...rest } = plainStyle(objectOf(part), 'form');
    const property = isObject(properties) ? ownOf(properties, name) : {};
    if (property === undefined) return [];
    const types = String(contentType)
      .toLowerCase()
      .split(',')
      .map((type) => type.trim())
      .sort()
      .join(', ');
    const isUsual = contentType === undefined || types === usualTypeOf(property, target);
    const plain = isUsual ? rest : { contentType: types, ...rest };
    return Object.keys(plain).length > 0 ? [[name, plain]] : [];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

/** Returns the media type that a part has without an encoding. */
function usualTypeOf(property: unknown, target: FollowSchema): string {
  const { type, format, contentEncoding, contentMediaType, items } = target(property);
  if (type === 'array') return usualTypeOf(items, target);
  if (type === 'object') return 'application/json';
  const isText = /^(string|number|integer|boolean)$/.test(String(type)) && contentEncoding === undefined;
  const isFile = format === 'binary' || contentMediaType !== undefined;
  return isText && !isFile ? 'text/plain' : 'application/octet-stream';
}

/** Whether a normalized schema of a body says only that it has bytes. */
const saysOnlyBytes = (schema: unknown): boolean =>
  isObject(schema) &&
  Object.entries(schema).every(
    ([word, value]) => (word === 'type' && value === 'string') || word === 'contentMediaType',
  );

/** Restricts a schema to strings, if it allows other values too. */
const onlyStrings = (schema: unknown): unknown =>
  schema === true ||
  (isObject(schema) && !('$ref' in schema) && [schema.type ?? 'string'].flat().includes('string'))
    ? { ...objectOf(schema), type: 'string' }
    : schema;

const withoutParameters = ({ parameters: _, ...operation }: JsonObject): JsonObject => operation;

const isIgnored = ({ in: location, name }: JsonObject): boolean =>
  location === 'header' && isIgnoredHeader(String(name));

/**
 * Converts an HTTP authentication scheme to lower case, removes default serialization from a parameter, and removes
 * `Content-Type` from headers and a `content` without media types.
 */
function plainNode(given: JsonObject, key: string, target: FollowSchema): JsonObject {
  if (key === 'map') return given;
  const { content, ...others } = given;
  const node = isObject(content) && Object.keys(content).length === 0 ? others : given;
  if (node.type === 'http' && typeof node.scheme === 'string')
    return { ...node, scheme: node.scheme.toLowerCase() };
  if (typeof node.in === 'string') return plainStyle(node, /query|cookie/.test(node.in) ? 'form' : 'simple');
  const { headers } = node;
  if (!isObject(headers)) return node;
  const kept = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => [name, plainHeader(objectOf(header), target)]);
  const { headers: _, ...rest } = node;
  return kept.length > 0 ? { ...rest, headers: Object.fromEntries(kept) } : rest;
}

/** Only objects differ with `explode` in a header (OpenAPI 3.1, section 4.8.12.4). */
function plainHeader(header: JsonObject, target: FollowSchema): JsonObject {
  const { explode, ...rest } = plainStyle(header, 'simple');
  const isObject = [target(header.schema).type ?? 'object'].flat().includes('object');
  return isObject && explode !== undefined ? { explode, ...rest } : rest;
}

/** Removes `style` and `explode` if they have their defaults (OpenAPI 3.1, section 4.8.12.2). */
function plainStyle({ style: given, explode, ...rest }: JsonObject, usual: string): JsonObject {
  const style = given ?? usual;
  return {
    ...rest,
    ...(style === usual ? {} : { style }),
    ...(explode === undefined || explode === (style === 'form') ? {} : { explode }),
  };
}
