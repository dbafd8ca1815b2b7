import type { ValidateFunction } from 'ajv';
import { type DocumentNode, isDocumentNode, listOf, nodeOf } from '../document-node.ts';
import type { CompiledValidators, Route } from './compile.ts';
import type { ComposedParameters } from './parameter-parser.ts';
import { headersSchemaOf, type PreparedOperation, resolve } from './read-operations.ts';
import { compiledFor } from './request-functions.ts';
import { operationAt } from './route-nodes.ts';

/** The schemas against which an operation's messages are validated, for code that compiles them for another program. */
export interface ValidationSchemas {
  /** By media type; the key is empty for an operation without a request body. */
  requests: Record<string, RequestSchemas>;
  /** The schemas of response bodies, by status and media type. */
  responses: Record<string, Record<string, unknown>>;
  /** The schemas of all headers of a response, by status. */
  headers: Record<string, DocumentNode>;
  /** Set if some of its parameters are arrays, objects or JSON. */
  composed: ComposedParameters | undefined;
}

interface RequestSchemas {
  /** Applies to an object with `query`, `headers`, `params` and `cookies`. */
  general: DocumentNode;
  body: unknown;
  /** If the body has a discriminator: the property, and the schema for each of its values. */
  discriminator?: { property: string; schemas: Record<string, unknown> };
}

/** The documents into which the references of the schemas lead: they differ in read-only and write-only properties. */
export interface SchemaDocuments {
  requests: DocumentNode;
  responses: DocumentNode;
}

export const schemaDocumentsOf = ({ spec, responseDocument }: CompiledValidators): SchemaDocuments => ({
  requests: partsOf(spec.apiDoc),
  responses: partsOf(responseDocument),
});

const partsOf = ({ components = {}, paths = {} }: { components?: object; paths?: object }) => ({
  components,
  paths,
});

/**
 * Makes validators keep their schemas instead of compiling them, which takes most of the time for large documents. They
 * then accept every message.
 */
export function keepSchemas({ requests, responses }: CompiledValidators): void {
  for (const ajv of [requests['ajv'], requests['ajvBody'], responses['ajvBody']])
    ajv.getSchema = (key: string) => {
      const schema = ajv.schemas[key]?.schema;
      return schema === undefined ? undefined : Object.assign(() => true, { schema });
    };
}

/** Returns the schemas of an operation, without the copies of the document that they contain. */
export function validationSchemasOf(
  { requests, responseDocument, spec }: CompiledValidators,
  route: Route,
  operation: PreparedOperation,
  requestTypes: readonly string[],
  bodies: Record<string, Record<string, ValidateFunction>>,
  isComposed: boolean,
): ValidationSchemas {
  const types = requestTypes.length > 0 ? requestTypes : [undefined];
  const documented = operationAt(responseDocument, route).responses ?? {};
  const byType = types.map((type) => [type, compiledFor(requests, route, operation, type)] as const);
  return {
    requests: Object.fromEntries(
      byType.map(([type, { general, body }]) => {
        const { components: _components, paths: _paths, ...schema } = nodeOf(general.schema);
        const ofBody = nodeOf(nodeOf(body.schema).properties).body;
        return [type ?? '', { general: schema, body: ofBody, ...discriminatorOf(ofBody) }];
      }),
    ),
    responses: mapValues(bodies, (byType) =>
      mapValues(byType, ({ schema }) => nodeOf(nodeOf(schema).properties).response),
    ),
    composed: isComposed
      ? {
          documented: (operation.parameters ?? []).map((given) => {
            const parameter = resolve(spec.apiDoc, given);
            return parameter.schema === undefined
              ? parameter
              : { ...parameter, schema: resolve(spec.apiDoc, parameter.schema) };
          }),
          properties: nodeOf(nodeOf(byType[0]?.[1].general.schema).properties),
        }
      : undefined,
    headers: mapValues(documented, (response) => {
      const { components: _components, ...schema } = nodeOf(headersSchemaOf(responseDocument, response));
      return schema;
    }),
  };
}

const mapValues = <Value, Result>(values: Record<string, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));

/** The preprocessor of express-openapi-validator has compiled the schemas, and attached the functions to the body's. */
function discriminatorOf(body: unknown): Pick<RequestSchemas, 'discriminator'> {
  const found: unknown = isDocumentNode(body) ? body._discriminator : undefined;
  if (!isDocumentNode(found)) return {};
  const functions = nodeOf(found.validators);
  const values = listOf(found.options).map((each) => String(nodeOf(each).option));
  return {
    discriminator: {
      property: String(found.property),
      // The value `__proto__` leads to the prototype of the functions.
      schemas: Object.fromEntries(values.map((value) => [value, schemaOf(functions[value])])),
    },
  };
}

const schemaOf = (validate: unknown): unknown =>
  typeof validate === 'function' && 'schema' in validate ? validate.schema : undefined;
