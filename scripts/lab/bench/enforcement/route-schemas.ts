import document from '../../../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../../../generated/operations.ts';

type Node = Record<string, unknown>;

interface RouteSchemas {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In Fastify's syntax: `/contacts/:id`. */
  url: string;
  schema: Node;
}

/** Returns the method, path and schemas of an operation. All references in the schemas are resolved. */
export function routeSchemas(operation: OperationId): RouteSchemas {
  const { method, path } = operations[operation];
  const item = resolved((document.paths as Node)[path]) as Node;
  const described = item[method] as Node;
  const parameters = (described.parameters ?? []) as Node[];
  const body = at(described, 'requestBody', 'content', 'application/json', 'schema');
  const responses = Object.entries(described.responses as Node).flatMap(([status, response]) => {
    const schema = at(response, 'content', 'application/json', 'schema');
    return schema === undefined ? [] : [[status, schema]];
  });
  return {
    method: method.toUpperCase() as RouteSchemas['method'],
    url: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
    schema: {
      params: ofPlace(parameters, 'path'),
      querystring: { ...ofPlace(parameters, 'query'), additionalProperties: false },
      headers: ofPlace(parameters, 'header'),
      ...(body === undefined ? {} : { body }),
      response: Object.fromEntries(responses),
    },
  };
}

function ofPlace(parameters: readonly Node[], location: string): Node {
  const here = parameters.filter((parameter) => parameter.in === location);
  const nameOf = ({ name }: Node) => (location === 'header' ? String(name).toLowerCase() : String(name));
  return {
    type: 'object',
    properties: Object.fromEntries(here.map((each) => [nameOf(each), each.schema])),
    required: here.filter(({ required }) => required === true).map(nameOf),
  };
}

const at = (node: unknown, ...steps: string[]): unknown =>
  steps.reduce<unknown>((found, step) => (isNode(found) ? found[step] : undefined), node);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved);
  if (!isNode(node)) return node;
  if (typeof node.$ref === 'string') return resolved(at(document, ...node.$ref.slice(2).split('/')));
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(value)]));
}
