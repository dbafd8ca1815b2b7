import { entriesOf, isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { once } from '../../lib/once.ts';
import {
  type HttpMethod,
  httpMethods,
  type OpenApiDocument,
  type SecurityRequirement,
} from '../../lib/openapi-document.ts';
import { basePathsOf } from './base-paths.ts';
import type { Operation, OperationRule, SecurityScheme } from './operation.ts';
import { readBody, readResponse } from './read-content.ts';
import { mergeParameters, readParameter } from './read-parameters.ts';
import type { References } from './references.ts';

interface Reading {
  references: References;
  /** Returns the base paths of the document's servers. */
  basePaths: () => readonly string[];
}

/**
 * Returns the operations of a document, or its webhooks.
 * @throws Error if the `in` of a parameter is invalid, or a reference cannot be resolved
 */
export function readOperations(
  document: OpenApiDocument,
  { references, kind, basePaths }: Reading & { kind: 'paths' | 'webhooks' },
): Operation[] {
  const security = kind === 'paths' ? document.security : undefined;
  return entriesOf(document[kind]).flatMap(([path, given]) => {
    const found = references.follow(given, `/${kind}/${escapePointer(path)}`);
    // A path item may have fields next to `$ref`. They apply, too.
    const item = { ...found.node, ...found.siblings };
    return httpMethods.flatMap((method) => {
      const node = item[method];
      if (!isObject(node)) return [];
      const pointer = `${found.pointer}/${method}`;
      return readOperation(
        document,
        { references, basePaths },
        { path, method, item, node, pointer, security },
      );
    });
  });
}

interface DocumentedOperation {
  path: string;
  method: HttpMethod;
  item: JsonObject;
  node: JsonObject;
  pointer: string;
  /** The document's security requirements. */
  security: unknown;
}

function readOperation(
  document: OpenApiDocument,
  { references, basePaths: shared }: Reading,
  { path, method, item, node, pointer, security: everywhere }: DocumentedOperation,
): Operation {
  const ownServers = [node.servers, item.servers].find((servers) => listOf(servers).length > 0);
  const basePaths = ownServers ? once(() => basePathsOf(ownServers)) : shared;
  const security = requirementsOf(node.security ?? everywhere);
  const itemPointer = pointer.slice(0, pointer.lastIndexOf('/'));
  const parameters = mergeParameters(references, { item, node }, { item: itemPointer, node: pointer }).map(
    (merged) => readParameter(references, merged),
  );
  return {
    id: typeof node.operationId === 'string' ? node.operationId : deriveOperationId(method, path),
    method,
    path,
    pointer,
    get basePaths() {
      return basePaths();
    },
    hasOwnServers: ownServers !== undefined,
    parameters,
    body: isObject(node.requestBody)
      ? readBody(references, node.requestBody, `${pointer}/requestBody`)
      : undefined,
    responses: Object.fromEntries(
      entriesOf(node.responses).map(([status, each]) => [
        // OpenAPI writes ranges in upper case; some documents do not.
        /^[1-5]xx$/i.test(status) ? status.toUpperCase() : status,
        readResponse(references, each, `${pointer}/responses/${escapePointer(status)}`),
      ]),
    ),
    security,
    securitySchemes: schemesOf(references, document, security),
    rules: [node, ...parameters.map((each) => each.node)]
      .flatMap((each) => listOf(each['x-rules']))
      .filter(isObject)
      .map(readRule),
    tags: listOf(node.tags).map(String),
    node,
  };
}

const readRule = ({ fields, rule, code, stored }: JsonObject): OperationRule => ({
  code: typeof code === 'number' ? code : undefined,
  fields: listOf(fields).map(String),
  rule: String(rule ?? ''),
  stored: stored === true,
});

/**
 * Derives an ID for an operation without one from its method and path: `GET /pets/{petId}` becomes `getPetsPetId`.
 */
function deriveOperationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

/** Returns a list of security requirements. A request needs all schemes of one requirement. */
const requirementsOf = (given: unknown): SecurityRequirement[] =>
  listOf(given)
    .filter(isObject)
    .map((requirement) =>
      Object.fromEntries(
        Object.entries(requirement).map(([name, scopes]) => [name, listOf(scopes).map(String)]),
      ),
    );

/** Returns the schemes of each requirement. Empty if one of the requirements is empty, because it always holds. */
function schemesOf(
  references: References,
  { components }: OpenApiDocument,
  requirements: readonly SecurityRequirement[],
): SecurityScheme[][] {
  const schemes = objectOf(components?.securitySchemes);
  const alternatives = requirements.map((requirement) =>
    entriesOf(requirement).map(([name]) => {
      const { node } = references.follow(ownOf(schemes, name));
      const scheme = textOf(node.scheme)?.toLowerCase();
      return {
        ...{ type: textOf(node.type) ?? '', in: textOf(node.in), name: textOf(node.name) },
        ...(scheme === undefined ? {} : { scheme }),
      };
    }),
  );
  return alternatives.some((alternative) => alternative.length === 0) ? [] : alternatives;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
