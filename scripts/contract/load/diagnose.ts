import { entriesOf, isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { dereference } from '../../lib/json-pointer.ts';
import { httpMethods, type OpenApiDocument } from '../../lib/openapi-document.ts';
import { diagnoseMappings, diagnoseSchemas } from './diagnose-schemas.ts';
import { diagnoseSizes } from './diagnose-sizes.ts';
import type { Diagnosis } from './diagnosis.ts';

/**
 * Finds mistakes that make a document ambiguous or unusable, and features that this toolchain does not support.
 * @param document a bundled document
 */
export const diagnose = (document: OpenApiDocument): Diagnosis[] => [
  ...diagnoseDialect(document),
  ...diagnosePaths(document),
  ...diagnoseHeaderNames(document),
  ...diagnoseLostHeaders(document, '', ''),
  ...diagnoseOperations(document),
  ...diagnoseSchemas(document),
  ...diagnoseMappings(document),
  ...diagnoseSizes(document),
];

const dialects = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
  'https://spec.openapis.org/oas/3.1/dialect/2024-11-10',
];

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

/**
 * Finds ambiguous and invalid paths. Paths that differ only in the names of their parameters match the same requests,
 * so they must not share a method. A path must not contain a query or a fragment.
 */
function diagnosePaths(document: OpenApiDocument): Diagnosis[] {
  const { paths = {} } = document;
  const known = new Map<string, string>();
  const methodsOf = (path: string): string[] => {
    const item = dereference(document, paths[path]);
    return isObject(item) ? httpMethods.filter((method) => method in item) : [];
  };
  return Object.keys(paths).flatMap((path) => {
    if (/[?#]/.test(path))
      return [
        {
          pointer: `/paths/${escapePointer(path)}`,
          message: `The path ${path} contains ${path.includes('#') ? '#' : '?'}, so no request can match it.`,
          fix: 'Describe the query in parameters, and give each operation a path and method of its own.',
        },
      ];
    if (path.includes('}{'))
      return [
        {
          pointer: `/paths/${escapePointer(path)}`,
          message: `The path ${path} has two parameters with no text between them, so their values cannot be told apart.`,
          fix: 'Put text between them, or make them one parameter.',
        },
      ];
    const shape = path.replaceAll(/\{[^}]*\}/g, '{}');
    const names = methodsOf(path).map((method) => `${method} ${shape}`);
    const first = names.map((name) => known.get(name)).find((other) => other !== undefined);
    for (const name of names) if (!known.has(name)) known.set(name, path);
    return first === undefined
      ? []
      : [
          {
            pointer: `/paths/${escapePointer(path)}`,
            message: `The paths ${first} and ${path} match the same requests.`,
            fix: 'Remove one of them, or merge their operations.',
          },
        ];
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
function diagnoseLostHeaders(node: unknown, pointer: string, key: string): Diagnosis[] {
  if (/^(examples?|default|const|enum|x-.*)$/.test(key) || typeof node !== 'object' || node === null)
    return [];
  const isHeader = 'in' in node && node.in === 'header' && 'name' in node && node.name === '__proto__';
  const isMap = key === 'headers' && Object.hasOwn(node, '__proto__');
  return [
    ...(isHeader || isMap
      ? [
          {
            pointer: isMap ? `${pointer}/__proto__` : `${pointer}/name`,
            message: 'A header cannot have the name __proto__: Node drops it from requests and responses.',
            fix: 'Give the header another name.',
          },
        ]
      : []),
    ...Object.entries(node).flatMap(([name, each]) =>
      diagnoseLostHeaders(each, `${pointer}/${escapePointer(name)}`, name),
    ),
  ];
}

function diagnoseOperations(document: OpenApiDocument): Diagnosis[] {
  const found: Diagnosis[] = [];
  for (const [path, given] of Object.entries(document.paths ?? {})) {
    const item = dereference(document, given);
    if (!isObject(item)) continue;
    for (const method of httpMethods) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      const pointer = `/paths/${escapePointer(path)}/${method}`;
      found.push(...diagnoseParameters(document, path, pointer, [item.parameters, operation.parameters]));
    }
  }
  return found;
}

function diagnoseParameters(
  document: OpenApiDocument,
  path: string,
  pointer: string,
  lists: readonly unknown[],
): Diagnosis[] {
  const declared = new Set(
    lists
      .flatMap(listOf)
      .map((parameter) => dereference(document, parameter))
      .flatMap((parameter) =>
        isObject(parameter) && parameter.in === 'path' ? [String(parameter.name)] : [],
      ),
  );
  const named = new Set(Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name));
  return [
    ...[...named]
      .filter((name) => !declared.has(name))
      .map((name) => ({
        pointer,
        message: `The path ${path} has {${name}}, but no parameter declares it.`,
        fix: `Add to parameters: { name: ${name}, in: path, required: true, schema: … }`,
      })),
    ...[...declared]
      .filter((name) => !named.has(name))
      .map((name) => ({
        pointer,
        message: `The path parameter ${name} is declared, but the path ${path} has no {${name}}.`,
        fix: 'Remove the parameter, or add it to the path.',
      })),
  ];
}
