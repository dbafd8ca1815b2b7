import { operationName } from '../../../server/pipeline/operation-id.ts';
import { methods } from '../../lib/openapi-document.ts';
import { stepsOf } from '../schema-values/json-pointer.ts';
import { isObject, type Schema } from '../schema-values/schema.ts';
import type { World } from '../schema-values/schema-context.ts';
import { kindOf } from './resource-ids.ts';

/** An operation as a caller has to know it, all references followed. */
export interface Operation {
  id: string;
  /** In upper case. */
  method: string;
  /** Path template, without the server's base path. */
  path: string;
  parameters: Parameter[];
  body: Body | undefined;
  /** By documented key: `200`, `4XX`, `default`. */
  responses: Record<string, Response>;
  /** Alternatives of security schemes; within one, all are needed. None where anybody may call. */
  security: SecurityScheme[][];
  rules: Rule[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  schema: Schema;
  style: string;
  explode: boolean;
  /** Where the value travels as JSON, or another text, instead of by a style. */
  mediaType: string | undefined;
  examples: unknown[];
}

export interface Body {
  required: boolean;
  types: { mediaType: string; schema: Schema; examples: Example[] }[];
}

export interface Example {
  name: string;
  value: unknown;
}

export interface Response {
  headers: { name: string; required: boolean; schema: Schema }[];
  types: { mediaType: string; schema: Schema; examples: Example[] }[];
  links: Link[];
}

/** How an answer leads to another operation. */
export interface Link {
  /** An id, or method and path: `GET /books/{isbn}`. */
  operationId: string | undefined;
  /** Parameter name → runtime expression (`$response.body#/id`), or a value. */
  parameters: Record<string, unknown>;
}

export interface SecurityScheme {
  type: string;
  in: string | undefined;
  name: string | undefined;
}

/**
 * Something that no schema can say, under `x-rules` of an operation: a request that fits its schemas may still be
 * refused at one of these places.
 */
export interface Rule {
  /** As an error names them; `*` stands for any item. None where no place is named. */
  fields: string[];
  rule: string;
  /** The code of the error that says so, where it has one of its own. */
  code: number | undefined;
  /** Whether it depends on what is stored, and not on the request alone. */
  stored: boolean;
}

/**
 * The operations of a document.
 * @param world made of an OpenAPI 3.1 document
 * @throws Error where a parameter is not one of OpenAPI
 */
export function operationsOf(world: World): Operation[] {
  const { document } = world;
  const paths = isObject(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, given]) => {
    const item = follow(world, given);
    return methods.flatMap((method) =>
      isObject(item[method]) ? [readOperation(world, path, method, item, item[method])] : [],
    );
  });
}

type Node = Record<string, unknown>;

function readOperation(world: World, path: string, method: string, item: Node, operation: Node): Operation {
  const parameters = [...asList(item.parameters), ...asList(operation.parameters)].map((each) =>
    withKind(world, path, readParameter(world, each)),
  );
  return {
    id: typeof operation.operationId === 'string' ? operation.operationId : operationName(method, path),
    method: method.toUpperCase(),
    path,
    // Of two with one name and place the operation's own counts.
    parameters: [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()],
    body: readBody(world, operation.requestBody),
    responses: Object.fromEntries(
      entriesOf(operation.responses).map(([status, each]) => [status, readResponse(world, each)]),
    ),
    security: readSecurity(world, operation.security ?? world.document.security),
    rules: asList(operation['x-rules']).filter(isObject).map(readRule),
  };
}

/** What a path names without saying so is known by what stands before it: what `/books/` is followed by. */
function withKind(world: World, path: string, parameter: Parameter): Parameter {
  if (parameter.in !== 'path' || kindOf(world, parameter.schema) !== undefined) return parameter;
  const kind = path.slice(0, path.indexOf(`{${parameter.name}}`));
  return { ...parameter, schema: { allOf: [parameter.schema], 'x-id-of': kind } };
}

function readParameter(world: World, given: unknown): Parameter {
  const node = follow(world, given);
  const place = node.in;
  if (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie')
    throw new Error(
      `The parameter ${String(node.name)} is in ${String(place)}, which OpenAPI does not know.`,
    );
  const [content] = entriesOf(node.content);
  const style =
    typeof node.style === 'string' ? node.style : ['query', 'cookie'].includes(place) ? 'form' : 'simple';
  return {
    name: String(node.name),
    in: place,
    required: node.required === true,
    schema: schemaIn(content ? follow(world, content[1]) : node),
    style,
    explode: typeof node.explode === 'boolean' ? node.explode : style === 'form',
    mediaType: content?.[0],
    examples: examplesOf(world, node).map(({ value }) => value),
  };
}

function readBody(world: World, given: unknown): Body | undefined {
  if (!isObject(given)) return undefined;
  const node = follow(world, given);
  return { required: node.required === true, types: readContent(world, node.content) };
}

const readContent = (world: World, content: unknown) =>
  entriesOf(content).map(([mediaType, given]) => {
    const node = follow(world, given);
    return { mediaType, schema: schemaIn(node), examples: examplesOf(world, node) };
  });

function readResponse(world: World, given: unknown): Response {
  const node = follow(world, given);
  return {
    headers: entriesOf(node.headers).map(([name, each]) => {
      const header = follow(world, each);
      const [content] = entriesOf(header.content);
      return {
        name,
        required: header.required === true,
        schema: schemaIn(content ? follow(world, content[1]) : header),
      };
    }),
    types: readContent(world, node.content),
    links: entriesOf(node.links).map(([, each]) => {
      const { operationId, operationRef, parameters } = follow(world, each);
      return {
        operationId: typeof operationId === 'string' ? operationId : operationAt(operationRef),
        parameters: isObject(parameters) ? parameters : {},
      };
    }),
  };
}

/** `#/paths/~1books/get` as `GET /books`; another document's operations are none of ours. */
function operationAt(reference: unknown): string | undefined {
  const [paths, path, method] = typeof reference === 'string' ? stepsOf(reference.replace(/^#/, '')) : [];
  return paths === 'paths' && path !== undefined && method !== undefined
    ? `${method.toUpperCase()} ${path}`
    : undefined;
}

function readSecurity(world: World, given: unknown): SecurityScheme[][] {
  const { components } = world.document;
  const schemes =
    isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const alternatives = asList(given).map((alternative) =>
    entriesOf(alternative).map(([name]) => {
      const scheme = follow(world, schemes[name]);
      return { type: text(scheme.type) ?? '', in: text(scheme.in), name: text(scheme.name) };
    }),
  );
  return alternatives.some((alternative) => alternative.length === 0) ? [] : alternatives;
}

const readRule = ({ fields, rule, code, stored }: Node): Rule => ({
  code: typeof code === 'number' ? code : undefined,
  fields: asList(fields).map(String),
  rule: String(rule ?? ''),
  stored: stored === true,
});

function examplesOf(world: World, node: Node): Example[] {
  const named = entriesOf(node.examples).map(([name, each]) => ({ name, value: follow(world, each).value }));
  const own = 'example' in node ? [{ name: 'example', value: node.example }] : [];
  const { schema } = node;
  const ofSchema =
    isObject(schema) && Array.isArray(schema.examples) && named.length + own.length === 0
      ? schema.examples
      : [];
  return [...named, ...own, ...ofSchema.map((value: unknown, place) => ({ name: `schema ${place}`, value }))];
}

function schemaIn({ schema }: Node): Schema {
  return typeof schema === 'boolean' || isObject(schema) ? schema : true;
}

/** What stands where a reference leads, if it is one. */
function follow(world: World, given: unknown): Node {
  let node = given;
  for (let steps = 0; isObject(node) && typeof node.$ref === 'string' && steps < 50; steps += 1)
    node = world.resolve(node.$ref);
  return isObject(node) ? node : {};
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);
