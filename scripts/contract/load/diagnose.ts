import { entriesOf, isObject, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { nothingFound, violationOf } from '../../../server/lib/violation.ts';
import { createAjv } from '../../lib/create-ajv.ts';
import { dereference } from '../../lib/json-pointer.ts';
import { httpMethods, type OpenApiDocument } from '../../lib/openapi-document.ts';
import { diagnoseSizes } from './diagnose-sizes.ts';
import type { Diagnosis } from './diagnosis.ts';
import { visitObjects } from './visit-objects.ts';

/**
 * Finds mistakes that make a part of a document ambiguous or unusable, and features that this toolchain does not support. The
 * operations with such a part are disabled. Mistakes that can be repaired without accepting more are repaired instead.
 * @param document a bundled document
 */
export const diagnose = (document: OpenApiDocument): Diagnosis[] => [
  ...diagnoseDialect(document),
  ...diagnosePaths(document),
  ...diagnoseAmbiguousPaths(document),
  ...diagnoseHeaderNames(document),
  ...diagnoseLostHeaders(document),
  ...diagnoseSchemas(document),
  ...diagnoseSizes(document),
];

const dialects = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
  'https://spec.openapis.org/oas/3.1/dialect/2024-11-10',
];

/** The dialect decides what all schemas mean, so the whole document is refused. */
function diagnoseDialect(document: object): Diagnosis[] {
  const dialect = 'jsonSchemaDialect' in document ? document.jsonSchemaDialect : undefined;
  if (dialect === undefined || dialects.includes(String(dialect).replace(/#$/, ''))) return [];
  return [
    {
      pointer: '/jsonSchemaDialect',
      message: `The schema dialect ${dialect} is not supported.`,
      fix: `Write jsonSchemaDialect: ${dialects[0]}`,
    },
  ];
}

/** Maximum number of segments of a path: tools compare each one with those of other paths. */
const maxSegments = 100;

/** Finds paths that no request can match, or whose parameters cannot be distinguished. */
function diagnosePaths(document: OpenApiDocument): Diagnosis[] {
  return Object.keys(document.paths ?? {}).flatMap((path) => {
    const pointer = `/paths/${escapePointer(path)}`;
    if (/[?#]/.test(path))
      return [
        {
          pointer,
          message: `The path ${path} contains ${path.includes('#') ? '#' : '?'}, so no request can match it.`,
          fix: 'Describe the query in parameters, and give each operation a path and method of its own.',
        },
      ];
    if (path.split('/').length > maxSegments)
      return [
        {
          pointer,
          message: `The path ${path.slice(0, 100)}… has more than ${maxSegments} segments.`,
          fix: 'Shorten it, or send some of them in the query.',
        },
      ];
    const message = `The path ${path} has two parameters with no text between them, so their values cannot be told apart.`;
    const fix = 'Put text between them, or make them one parameter.';
    return path.includes('}{') ? [{ pointer, message, fix }] : [];
  });
}

/** Finds operations whose paths differ only in the names of their parameters: no request shows which of them it is for. */
function diagnoseAmbiguousPaths(document: OpenApiDocument): Diagnosis[] {
  const known = Object.entries(document.paths ?? {}).flatMap(([path, given]) => {
    const item = objectOf(dereference(document, given));
    return httpMethods.filter((method) => method in item).map((method) => ({ path, method }));
  });
  const byShape = Map.groupBy(
    known,
    ({ path, method }) => `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
  );
  return [...byShape.values()].flatMap((alike) => {
    const [first, second] = alike;
    if (!first || !second) return [];
    return alike.map(({ path, method }) => ({
      pointer: `/paths/${escapePointer(path)}/${method}`,
      message: `The paths ${path === first.path ? second.path : first.path} and ${path} match the same requests.`,
      fix: 'Remove one of them, or merge their operations.',
    }));
  });
}

/** Header names, including those of API keys, must be tokens (RFC 9110, section 5.1). */
function diagnoseHeaderNames({ components = {} }: OpenApiDocument): Diagnosis[] {
  return entriesOf(components.securitySchemes).flatMap(([key, scheme]) => {
    const { in: location, name = '' } = objectOf(scheme);
    return location !== 'header' || /^[\w!#$%&'*+.^`|~-]+$/.test(String(name))
      ? []
      : [
          {
            pointer: `/components/securitySchemes/${escapePointer(key)}/name`,
            message: `The header ${String(name)} of the security scheme ${key} cannot be sent: it contains characters that HTTP does not allow in names.`,
            fix: 'Name the header as clients send it, without spaces.',
          },
        ];
  });
}

/** Finds headers with the name `__proto__`, which Node drops from requests and responses. */
function diagnoseLostHeaders(document: OpenApiDocument): Diagnosis[] {
  const found: Diagnosis[] = [];
  visitObjects(document, (node, key, pointer) => {
    const isMap = key === 'headers' && Object.hasOwn(node, '__proto__');
    if (isMap || (node.in === 'header' && node.name === '__proto__'))
      found.push({
        pointer: isMap ? `${pointer}/__proto__` : `${pointer}/name`,
        message: 'A header cannot have the name __proto__: Node drops it from requests and responses.',
        fix: 'Give the header another name.',
      });
  });
  return found;
}

// JSON Schema does not define OpenAPI's own keywords, so unknown keywords must be allowed.
const metaSchema = createAjv({ strict: false, allErrors: false, messages: false });

/** Keywords that do not mean the same, or anything, in all dialects since draft-04. Schemas without them are read as 2020-12. */
const changedKeywords =
  /"(additionalItems|dependencies|dependent\w+|prefixItems|unevaluated\w+|m(?:in|ax)Contains|\$recursiveRef)":/;

/** Finds invalid schemas. */
function diagnoseSchemas(document: OpenApiDocument): Diagnosis[] {
  const found: Diagnosis[] = [];
  visitObjects(document, (node, key, pointer) => {
    if (key !== 'schema' && !/^\/components\/schemas\/[^/]*$/.test(pointer)) return true;
    found.push(...diagnoseSchema(node, pointer));
    return false;
  });
  return found;
}

/** Validates a schema against the meta-schema of its dialect. */
function diagnoseSchema(schema: unknown, pointer: string): Diagnosis[] {
  const found = (message: string, fix: string, at = pointer): Diagnosis[] => [{ pointer: at, message, fix }];
  const [, anchor] = /"\$(?:dynamicR|r)ef":"#((?:[^/"][^"]*)?)"/.exec(JSON.stringify(schema) ?? '') ?? [];
  if (anchor !== undefined)
    return found(
      anchor === ''
        ? 'The reference # leads to the whole document, which is not a schema.'
        : `No schema has the anchor ${anchor}, or several schemas have it.`,
      "Refer to the schema by its path: '#/components/schemas/Name'.",
    );
  const { $schema: dialect = '' } = objectOf(schema);
  const isOwn = /^$|2020-12|\/oas\/3\.1\//.test(String(dialect));
  const [, changed] = (!isOwn && changedKeywords.exec(JSON.stringify(schema))) || [];
  if (changed !== undefined)
    return found(
      `In the dialect ${dialect}, ${changed} means something else than in OpenAPI 3.1, so the schema is not supported.`,
      'Write it in JSON Schema 2020-12, without $schema.',
    );
  if (typeof schema === 'boolean' || metaSchema.validateSchema(withoutDialect(schema))) return [];
  const [error] = metaSchema.errors ?? [];
  const { pointer: location, message } = error ? violationOf(error) : nothingFound;
  return found(
    `The schema is invalid: ${location.slice(1) || 'it'} ${message}.`,
    'Correct the keyword. See https://json-schema.org/draft/2020-12.',
    pointer + location,
  );
}

/** Removes the dialect (`$schema`), because Ajv may not know it. */
const withoutDialect = (schema: unknown): object => {
  const { $schema: _dialect, ...rest }: { $schema?: unknown } = isObject(schema) ? schema : {};
  return rest;
};
