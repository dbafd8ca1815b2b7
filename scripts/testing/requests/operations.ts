import { bodyFormatOf } from '../../../server/contract/media-type.ts';
import { isBinary } from '../../../server/contract/multipart-form.ts';
import { objectOf } from '../../../server/lib/json-object.ts';
import { type Contract, createContract } from '../../contract/model/contract.ts';
import type { Operation, Parameter, ResponseLink } from '../../contract/model/operation.ts';
import { followReferences } from '../../lib/json-pointer.ts';
import { schemaProperties } from '../schema-values/object-schema.ts';
import type { JsonSchema } from '../schema-values/schema.ts';
import { createSchemaContext, type SchemaContext } from '../schema-values/schema-context.ts';
import { resourceTypeOf } from './resource-ids.ts';

/** An operation whose schemas belong to a schema context. */
export interface TestedOperation
  extends Pick<
    Operation,
    'id' | 'method' | 'path' | 'pointer' | 'body' | 'responses' | 'securitySchemes' | 'rules'
  > {
  /** The base path of its server, if the operation or its path has servers of its own. */
  basePath?: string;
  parameters: RequestParameter[];
  /** The media types of the files in forms, by name. */
  files?: ReadonlyMap<string, string>;
}

export interface RequestParameter
  extends Pick<Parameter, 'name' | 'in' | 'required' | 'schema' | 'style' | 'explode' | 'mediaType'> {
  examples: unknown[];
  /** The type of the resources whose IDs the values are (`x-id-of`); that of any path parameter is at least its path. */
  resourceType: string | undefined;
  /** Texts that a path parameter cannot have, because they lead to another path. */
  excluded?: readonly string[];
}

/**
 * Returns the operations of a context's document.
 * @throws Error if the `in` of a parameter is invalid, or a reference cannot be resolved
 */
export const operationsOf = (context: SchemaContext): TestedOperation[] => {
  const given: object = context.document;
  const { document, operations } = createContract({ openapi: '3.1.1', ...given });
  const excludedFrom = literalSiblings(Object.keys(document.paths ?? {}));
  const tested = operations.map((operation) => testedOperation(context, operation, excludedFrom));
  const inPaths = tested.flatMap(({ path, parameters }) =>
    parameters.filter((each) => each.in === 'path').map((each) => ({ ...each, path })),
  );
  const byName = Map.groupBy(inPaths, ({ name }) => name);
  return tested.map((operation) => withResourceTypes(context, operation, byName));
};

/** Returns the type of the resources whose IDs a path parameter has. */
export const resourceTypeInPath = ({ parameters }: TestedOperation, name: string): string | undefined =>
  parameters.find((each) => each.in === 'path' && each.name === name)?.resourceType;

/** Whether a link of a response leads to an operation. */
export const leadsTo = (
  { operationId, operationPointer }: ResponseLink,
  { id, pointer }: Pick<Operation, 'id' | 'pointer'>,
): boolean => operationId === id || operationPointer === pointer;

function testedOperation(
  context: SchemaContext,
  { id, method, path, pointer, body, responses, securitySchemes, rules, ...operation }: Operation,
  excludedFrom: ReturnType<typeof literalSiblings>,
): TestedOperation {
  const parameters = operation.parameters.map((parameter): RequestParameter => {
    const { name, schema, in: location } = parameter;
    const resourceType = resourceTypeOf(context, schema);
    const tested = { ...parameter, examples: parameter.examples.map(({ value }) => value), resourceType };
    if (location !== 'path') return tested;
    const excluded = excludedFrom(path, name);
    if (resourceType !== undefined) return { ...tested, excluded };
    // Without `x-id-of`, the path before the parameter is the type: `/books/` for `/books/{id}`.
    const before = path.slice(0, path.indexOf(`{${name}}`));
    const marked = { allOf: [schema], 'x-id-of': before };
    return { ...tested, excluded, schema: marked, resourceType: before };
  });
  const basePath = operation.hasOwnServers ? { basePath: operation.basePaths[0] ?? '' } : {};
  const files = filesOf(context, body);
  return {
    ...{ id, method, path, pointer, ...basePath, parameters, files },
    ...{ body, responses, securitySchemes, rules },
  };
}

/**
 * Marks properties of the body as IDs of existing resources that have the name of a path parameter, such as `toolId`, unless
 * the operation creates or names this resource itself.
 * @param byName the path parameters of all operations, by name
 */
function withResourceTypes(
  context: SchemaContext,
  operation: TestedOperation,
  byName: ReadonlyMap<string, readonly (RequestParameter & { path: string })[]>,
): TestedOperation {
  if (!operation.body) return operation;
  const collection = `${operation.path}/{`;
  const typeOf = (name: string) =>
    /[a-z](I[dD]|[_-]id)$/.test(name) && resourceTypeInPath(operation, name) === undefined
      ? byName.get(name)?.find(({ path }) => !path.startsWith(collection))?.resourceType
      : undefined;
  const content = operation.body.content.map((type) => {
    const properties: Record<string, JsonSchema> = {};
    for (const [name, property] of Object.entries(schemaProperties(context, type.schema))) {
      const kind = resourceTypeOf(context, property) === undefined ? typeOf(name) : undefined;
      if (kind !== undefined) properties[name] = { allOf: [property], 'x-id-of': kind };
    }
    return Object.keys(properties).length === 0
      ? type
      : { ...type, schema: { allOf: [type.schema, { properties }] } };
  });
  return { ...operation, body: { ...operation.body, content } };
}

/** Returns the properties of forms that are files, or lists of files, with the first media type of their encoding. */
const filesOf = (context: SchemaContext, body: Operation['body']): Map<string, string> =>
  new Map(
    (body?.content ?? [])
      .filter(({ mediaType }) => bodyFormatOf(mediaType) === 'multipart')
      .flatMap(({ schema, node: { encoding } }) =>
        Object.entries(schemaProperties(context, schema)).flatMap(([name, property]): [string, string][] => {
          const node = objectOf(followReferences(property, context.resolve).node);
          if (!isBinary(objectOf(followReferences(node.items ?? node, context.resolve).node))) return [];
          const { contentType = 'application/octet-stream' } = objectOf(objectOf(encoding)[name]);
          return [[name, concrete(String(contentType).replace(/\s*,.*/s, ''))]];
        }),
      ),
  );

/**
 * Finds the texts that a path parameter cannot have, because another path has them in its place and is therefore chosen:
 * with `/users/{id}` and `/users/me`, the ID cannot be `me` (OpenAPI 3.1, section 4.8.8.2).
 * @param templates all path templates of a document
 * @returns a function that returns these texts for a parameter of a template
 */
function literalSiblings(
  templates: readonly string[],
): (template: string, parameter: string) => readonly string[] {
  const literals = templates.flatMap((template) =>
    segmentsOf(template).flatMap((segment, at) =>
      segment.includes('{') ? [] : { segment, rest: restOf(template, at) },
    ),
  );
  const byRest = Map.groupBy(literals, ({ rest }) => rest);
  return (template, parameter) => {
    const at = segmentsOf(template).indexOf(`{${parameter}}`);
    return at === -1 ? [] : (byRest.get(restOf(template, at)) ?? []).map(({ segment }) => segment);
  };
}

const segmentsOf = (template: string): string[] => template.split('/');

/** Returns a template without one segment and without the names of its parameters. */
const restOf = (template: string, without: number): string =>
  segmentsOf(template)
    .map((segment, at) => (at === without ? '*' : segment.replaceAll(/\{[^}]*\}/g, '{}')))
    .join('/');

/** Returns a concrete media type for a range such as `text/*` or `application/*+json`. */
export const concrete = (mediaType: string): string =>
  mediaType === '*/*' || mediaType === 'application/*'
    ? 'application/json'
    : mediaType.replace('text/*', 'text/plain').replace(/\/\*(?=$|\+)/, '/vnd.example');

/**
 * Returns the operations of a contract, with requests without `readOnly` properties, and responses without `writeOnly`
 * properties. Examples of requests with `readOnly` properties are omitted: they match their schema, but a service may reject
 * them.
 * @param requests the request view of the contract
 * @param documented the operations of the response view
 */
export function requestOperations(
  contract: Contract,
  requests: SchemaContext,
  documented: readonly TestedOperation[],
): TestedOperation[] {
  const strict = createSchemaContext(contract.view('request', 'forbidden').document);
  const strictOperations = operationsOf(strict);
  return operationsOf(requests).map((inRequests, index) => {
    const { responses } = documented[index] ?? inRequests;
    const operation = { ...inRequests, responses };
    const content = strictOperations[index]?.body?.content ?? [];
    if (!operation.body) return operation;
    const omitReadOnly = (type: (typeof content)[number], at: number): (typeof content)[number] => ({
      ...type,
      examples: type.examples.filter(
        ({ value }) =>
          !requests.isValid(type.schema, value) || strict.isValid(content[at]?.schema ?? true, value),
      ),
    });
    return { ...operation, body: { ...operation.body, content: operation.body.content.map(omitReadOnly) } };
  });
}
