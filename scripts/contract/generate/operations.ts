import { deriveOperationId } from '../../../server/pipeline/operation-id.ts';
import {
  dereferenceShared,
  type HttpMethod,
  httpMethods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type SecurityRequirement,
} from '../../lib/openapi-document.ts';

interface Row {
  id: string;
  method: HttpMethod;
  path: string;
  security: SecurityRequirement[];
  statuses: string[];
  defaults: string[];
}

/**
 * Generates the operation table: what a server needs to know about each operation besides its types.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the source of a module that exports `operations` and `OperationTypes`
 * @throws Error if two operations have the same ID
 */
export function generateOperationTable(document: OpenApiDocument): string {
  const rows = rowsOf(document);
  rejectDuplicateIds(rows);
  return [
    // A contract that describes only webhooks has no operations.
    ...(rows.length > 0 ? ["import type { paths } from './types.ts';", ''] : []),
    '/** Each operation: method, path, scopes, documented statuses, and query parameters with defaults. */',
    'export const operations = {',
    ...rows.flatMap(({ id, ...row }) => [
      `  ${ownKey(id)}: {`,
      ...Object.entries(row).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`),
      '  },',
    ]),
    '} as const;',
    '',
    '/** The types of each operation. */',
    'export interface OperationTypes {',
    ...rows.map(
      ({ id, path, method }) => `  ${key(id)}: paths[${JSON.stringify(path)}][${JSON.stringify(method)}];`,
    ),
    '}',
    '',
    'export type OperationId = keyof OperationTypes;',
    '',
  ].join('\n');
}

function rowsOf(document: OpenApiDocument): Row[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const pathItem = resolvePathItem(document, item);
    return httpMethods.flatMap((method) => {
      const operation = pathItem[method];
      if (!operation) return [];
      return {
        id: operation.operationId ?? deriveOperationId(method, path),
        method,
        path,
        security: operation.security ?? document.security ?? [],
        statuses: Object.keys(operation.responses ?? {}),
        defaults: filledIn(document, pathItem, operation),
      };
    });
  });
}

function filledIn(document: OpenApiDocument, item: PathItemObject, operation: OperationObject): string[] {
  const byPlace = new Map<string, ParameterObject>();
  for (const given of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = dereferenceShared<ParameterObject>(document.components?.parameters, given);
    byPlace.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...byPlace.values()]
    .filter((parameter) => parameter.in === 'query' && defaultOf(document, parameter) !== undefined)
    .map((parameter) => parameter.name);
}

function defaultOf(document: OpenApiDocument, { schema }: ParameterObject): unknown {
  const shared = schema?.$ref ? document.components?.schemas?.[lastPart(schema.$ref)] : undefined;
  return (shared ?? schema)?.default;
}

function resolvePathItem(document: OpenApiDocument, item: PathItemObject): PathItemObject {
  if (!item.$ref) return item;
  const found = document.components?.pathItems?.[lastPart(item.$ref)];
  if (!found) throw new Error(`The path item ${item.$ref} does not exist.`);
  return found;
}

function rejectDuplicateIds(rows: Row[]): void {
  const seen = new Set<string>();
  for (const { id, method, path } of rows) {
    if (seen.has(id)) throw new Error(`${method.toUpperCase()} ${path}: another operation has the ID ${id}.`);
    seen.add(id);
  }
}

const lastPart = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const key = (id: string): string => (/^[A-Za-z_$][\w$]*$/.test(id) ? id : JSON.stringify(id));

/** The key of an object literal, in which `__proto__` would set the prototype. */
const ownKey = (id: string): string => (id === '__proto__' ? `['__proto__']` : key(id));
