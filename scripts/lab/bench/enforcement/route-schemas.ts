import document from '../../../../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../../../generated/operations.ts';
import { isObject, type JsonObject } from '../../../../server/lib/json-object.ts';
import { createContract } from '../../../contract/model/contract.ts';
import type { Content, Parameter } from '../../../contract/model/operation.ts';

const given: object = document;
const contract = createContract({ openapi: document.openapi, ...given });

interface RouteSchemas {
  method: string;
  /** In Fastify's syntax: `/contacts/:id`. */
  url: string;
  schema: JsonObject;
}

/** Returns the method, path and schemas of an operation. All references in the schemas are resolved. */
export function routeSchemas(id: OperationId): RouteSchemas {
  const operation = contract.operations.find((each) => each.id === id);
  if (!operation) throw new Error(`The contract has no operation ${id}.`);
  const { method, path, parameters, body, responses } = operation;
  const bodySchema = jsonSchemaOf(body?.content);
  const responseSchemas = Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = jsonSchemaOf(content);
    return schema === undefined ? [] : [[status, schema]];
  });
  return {
    method: method.toUpperCase(),
    url: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
    schema: {
      params: ofPlace(parameters, 'path'),
      querystring: { ...ofPlace(parameters, 'query'), additionalProperties: false },
      headers: ofPlace(parameters, 'header'),
      ...(bodySchema === undefined ? {} : { body: bodySchema }),
      response: Object.fromEntries(responseSchemas),
    },
  };
}

function ofPlace(parameters: readonly Parameter[], location: string): JsonObject {
  const here = parameters.filter((parameter) => parameter.in === location);
  const nameOf = ({ name }: Parameter) => (location === 'header' ? name.toLowerCase() : name);
  return {
    type: 'object',
    properties: Object.fromEntries(here.map((each) => [nameOf(each), resolved(each.schema)])),
    required: here.filter(({ required }) => required).map(nameOf),
  };
}

const jsonSchemaOf = (content: readonly Content[] = []): unknown =>
  resolved(content.find(({ mediaType }) => mediaType === 'application/json')?.schema);

/** Replaces all references inside a node by their targets. */
function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved);
  if (!isObject(node)) return node;
  const { node: target } = contract.follow(node);
  return Object.fromEntries(Object.entries(target).map(([name, value]) => [name, resolved(value)]));
}
