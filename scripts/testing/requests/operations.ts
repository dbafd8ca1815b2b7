import { ownOf } from '../../../server/lib/own-property.ts';
import { basePathsOf } from '../../../server/pipeline/base-paths.ts';
import { isJson } from '../../../server/pipeline/media-type.ts';
import { deriveOperationId } from '../../../server/pipeline/operation-id.ts';
import { httpMethods } from '../../lib/openapi-document.ts';
import { pointerTokens } from '../schema-values/json-pointer.ts';
import { isObject, type JsonSchema } from '../schema-values/schema.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { literalSiblings } from './literal-siblings.ts';
import { resourceTypeOf } from './resource-ids.ts';

/** An operation with its references resolved, except those inside schemas. */
export interface TestedOperation {
  id: string;
  /** In upper case. */
  method: string;
  /** Path template, without the server's base path. */
  path: string;
  /** The base path of its server, if the operation or its path has servers of its own. */
  basePath?: string;
  parameters: RequestParameter[];
  body: RequestBodySpec | undefined;
  /** By documented key: `200`, `4XX`, `default`. */
  responses: Record<string, ResponseSpec>;
  /** Alternative lists of security schemes; a request needs all schemes of one list. Empty for public operations. */
  security: TestedSecurityScheme[][];
  rules: OperationRule[];
}

export interface RequestParameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  schema: JsonSchema;
  style: string;
  explode: boolean;
  /** Set if the value is serialized as JSON. */
  mediaType: string | undefined;
  examples: unknown[];
  /** Texts that a path parameter cannot have, because they lead to another path. */
  excluded?: readonly string[];
}

export interface RequestBodySpec {
  required: boolean;
  types: { mediaType: string; schema: JsonSchema; examples: ExampleValue[] }[];
}

export interface ExampleValue {
  name: string;
  value: unknown;
}

export interface ResponseSpec {
  headers: { name: string; required: boolean; schema: JsonSchema }[];
  types: { mediaType: string; schema: JsonSchema; examples: ExampleValue[] }[];
  links: LinkSpec[];
}

/** A link from a response to another operation. */
export interface LinkSpec {
  /** An ID, or method and path: `GET /books/{isbn}`. */
  operationId: string | undefined;
  /** Runtime expressions (`$response.body#/id`) or values, by parameter name. */
  parameters: Record<string, unknown>;
}

export interface TestedSecurityScheme {
  type: string;
  in: string | undefined;
  name: string | undefined;
}

/** A rule from `x-rules` that no schema can express. A request that conforms to the schemas may violate it. */
export interface OperationRule {
  /** The locations that the error response names; `*` stands for any array item. Empty if the response names none. */
  fields: string[];
  rule: string;
  /** The error code, if the rule has its own. */
  code: number | undefined;
  /** Whether the rule depends on stored data. */
  stored: boolean;
}

/**
 * Returns the operations of a document.
 * @throws Error if the `in` of a parameter is invalid, or a reference cannot be resolved
 */
export function operationsOf(context: SchemaContext): TestedOperation[] {
  const { document } = context;
  const paths = isObject(document.paths) ? document.paths : {};
  const excludedFrom = literalSiblings(Object.keys(paths));
  return Object.entries(paths).flatMap(([path, given]) => {
    const item = follow(context, given);
    return httpMethods.flatMap((method) =>
      isObject(item[method])
        ? [readOperation(context, { path, method, item, operation: item[method], excludedFrom })]
        : [],
    );
  });
}

type Node = Record<string, unknown>;

interface DocumentedOperation {
  path: string;
  method: string;
  item: Node;
  operation: Node;
  excludedFrom: ReturnType<typeof literalSiblings>;
}

function readOperation(
  context: SchemaContext,
  { path, method, item, operation, excludedFrom }: DocumentedOperation,
): TestedOperation {
  const parameters = [...asList(item.parameters), ...asList(operation.parameters)].map((each) => {
    const parameter = withKind(context, path, readParameter(context, each));
    return parameter.in === 'path'
      ? { ...parameter, excluded: excludedFrom(path, parameter.name) }
      : parameter;
  });
  return {
    id: typeof operation.operationId === 'string' ? operation.operationId : deriveOperationId(method, path),
    method: method.toUpperCase(),
    path,
    ...ownBasePath([operation.servers, item.servers]),
    // An operation's parameter overrides the path-level parameter with the same name and location.
    parameters: [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()],
    body: readBody(context, operation.requestBody),
    responses: Object.fromEntries(
      entriesOf(operation.responses).map(([status, each]) => [status, readResponse(context, each)]),
    ),
    security: readSecurity(context, operation.security ?? context.document.security),
    rules: asList(operation['x-rules']).filter(isObject).map(readRule),
  };
}

function ownBasePath(lists: unknown[]): { basePath?: string } {
  const servers = lists.find((list) => Array.isArray(list) && list.length > 0);
  return servers === undefined ? {} : { basePath: basePathsOf(servers)[0] ?? '' };
}

/** If a path parameter has no `x-id-of`, the path before it becomes its resource type: `/books/` for `/books/{id}`. */
function withKind(context: SchemaContext, path: string, parameter: RequestParameter): RequestParameter {
  if (parameter.in !== 'path' || resourceTypeOf(context, parameter.schema) !== undefined) return parameter;
  const kind = path.slice(0, path.indexOf(`{${parameter.name}}`));
  return { ...parameter, schema: { allOf: [parameter.schema], 'x-id-of': kind } };
}

function readParameter(context: SchemaContext, given: unknown): RequestParameter {
  const node = follow(context, given);
  const location = node.in;
  if (location !== 'path' && location !== 'query' && location !== 'header' && location !== 'cookie')
    throw new Error(
      `The parameter ${String(node.name)} is in ${String(location)}, which OpenAPI does not know.`,
    );
  const [content] = entriesOf(node.content);
  const style =
    typeof node.style === 'string' ? node.style : ['query', 'cookie'].includes(location) ? 'form' : 'simple';
  return {
    name: String(node.name),
    in: location,
    required: node.required === true,
    schema: schemaIn(content ? follow(context, content[1]) : node),
    style,
    explode: typeof node.explode === 'boolean' ? node.explode : style === 'form',
    mediaType: content && isJson(content[0]) ? content[0] : undefined,
    examples: examplesOf(context, node).map(({ value }) => value),
  };
}

function readBody(context: SchemaContext, given: unknown): RequestBodySpec | undefined {
  if (!isObject(given)) return undefined;
  const node = follow(context, given);
  return { required: node.required === true, types: readContent(context, node.content) };
}

const readContent = (context: SchemaContext, content: unknown) =>
  entriesOf(content).map(([mediaType, given]) => {
    const node = follow(context, given);
    return { mediaType, schema: schemaIn(node), examples: examplesOf(context, node) };
  });

function readResponse(context: SchemaContext, given: unknown): ResponseSpec {
  const node = follow(context, given);
  return {
    headers: entriesOf(node.headers).map(([name, each]) => {
      const header = follow(context, each);
      const [content] = entriesOf(header.content);
      return {
        name,
        required: header.required === true,
        schema: schemaIn(content ? follow(context, content[1]) : header),
      };
    }),
    types: readContent(context, node.content),
    links: entriesOf(node.links).map(([, each]) => {
      const { operationId, operationRef, parameters } = follow(context, each);
      return {
        operationId: typeof operationId === 'string' ? operationId : operationAt(operationRef),
        parameters: isObject(parameters) ? parameters : {},
      };
    }),
  };
}

/** Converts `#/paths/~1books/get` to `GET /books`; undefined for other references. */
function operationAt(reference: unknown): string | undefined {
  const [paths, path, method] =
    typeof reference === 'string' ? pointerTokens(reference.replace(/^#/, '')) : [];
  return paths === 'paths' && path !== undefined && method !== undefined
    ? `${method.toUpperCase()} ${path}`
    : undefined;
}

function readSecurity(context: SchemaContext, given: unknown): TestedSecurityScheme[][] {
  const { components } = context.document;
  const schemes =
    isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const alternatives = asList(given).map((alternative) =>
    entriesOf(alternative).map(([name]) => {
      const scheme = follow(context, ownOf(schemes, name));
      return { type: text(scheme.type) ?? '', in: text(scheme.in), name: text(scheme.name) };
    }),
  );
  return alternatives.some((alternative) => alternative.length === 0) ? [] : alternatives;
}

const readRule = ({ fields, rule, code, stored }: Node): OperationRule => ({
  code: typeof code === 'number' ? code : undefined,
  fields: asList(fields).map(String),
  rule: String(rule ?? ''),
  stored: stored === true,
});

function examplesOf(context: SchemaContext, node: Node): ExampleValue[] {
  const named = entriesOf(node.examples).map(([name, each]) => ({
    name,
    value: follow(context, each).value,
  }));
  const own = 'example' in node ? [{ name: 'example', value: node.example }] : [];
  const { schema } = node;
  const ofSchema =
    isObject(schema) && Array.isArray(schema.examples) && named.length + own.length === 0
      ? schema.examples
      : [];
  return [...named, ...own, ...ofSchema.map((value: unknown, index) => ({ name: `schema ${index}`, value }))];
}

function schemaIn({ schema }: Node): JsonSchema {
  return typeof schema === 'boolean' || isObject(schema) ? schema : true;
}

/** Resolves a reference or a chain of references. Returns other objects unchanged. */
function follow(context: SchemaContext, given: unknown): Node {
  let node = given;
  for (let steps = 0; isObject(node) && typeof node.$ref === 'string' && steps < 50; steps += 1)
    node = context.resolve(node.$ref);
  return isObject(node) ? node : {};
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);
