import { BadRequest } from 'express-openapi-validator/dist/framework/types.js';
import { RequestParameterMutator } from 'express-openapi-validator/dist/middlewares/parsers/req.parameter.mutator.js';
import { type DocumentNode, isDocumentNode } from '../document-node.ts';
import type { ContractParameter, RequestParts } from '../operation.ts';
import { prepareBrackets } from './bracket-names.ts';
import { createCollector } from './exploded-objects.ts';
import { isJsonParameter, parseJsonParameters } from './json-parameters.ts';

/** The parameters of an operation, as the parser needs them. */
export interface ComposedParameters {
  /** The parameters as documented, with their references resolved, except those inside schemas. */
  documented: readonly DocumentNode[];
  /** The schemas of `query`, `headers`, `params` and `cookies`. */
  properties: DocumentNode;
}

type Mutator = ConstructorParameters<typeof RequestParameterMutator>;

/**
 * Parses parameters that are arrays, objects or JSON, in place, with express-openapi-validator's parser. It is for the mock
 * inside pages, which cannot use `RequestValidator`, because that compiles schemas.
 * @param resolve returns the schema to which a reference leads
 * @throws Error with `errors`, as `RequestValidator` does
 */
export function parseParameters(
  { documented, properties }: ComposedParameters,
  parameters: readonly ContractParameter[],
  parts: RequestParts,
  url: string,
  resolve: (reference: string) => unknown,
): void {
  const given = parseJsonParameters(parameters.filter(isJsonParameter), parts);
  const follow = (node: unknown): DocumentNode => {
    const target = isDocumentNode(node) && typeof node.$ref === 'string' ? resolve(node.$ref) : node;
    return isDocumentNode(target) ? target : {};
  };
  const collect = createCollector(documented, parameters, follow);
  const query = prepareBrackets(collect(given.query), parameters);
  const request = { ...given, query, originalUrl: url, openapi: { schema: { parameters: documented } } };
  const ajv: unknown = { getSchema: (reference: string) => ({ schema: resolve(reference) }) };
  const mutator = new RequestParameterMutator(
    ajv as Mutator[0],
    {} as Mutator[1],
    url,
    properties as unknown as Mutator[3],
  );
  mutator.modifyRequest(request as unknown as Parameters<RequestParameterMutator['modifyRequest']>[0]);
  rejectUnknown(request.query, properties.query, parameters);
  const { headers, params, cookies } = request;
  Object.assign(parts, { query: { ...request.query }, headers, params, cookies });
}

/** Rejects unknown and empty query parameters, as `RequestValidator` does. */
function rejectUnknown(
  query: Record<string, unknown>,
  schema: unknown,
  parameters: readonly ContractParameter[],
): void {
  const documented = isDocumentNode(schema) && isDocumentNode(schema.properties) ? schema.properties : {};
  const allowsAny = Object.values(documented).some(
    (each) => isDocumentNode(each) && each.type === 'object' && each.additionalProperties,
  );
  if (allowsAny) return;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  for (const [name, value] of Object.entries(query)) {
    const known = inQuery.find((parameter) => parameter.name === name);
    const message =
      !known && !Object.hasOwn(documented, name)
        ? `Unknown query parameter '${name}'`
        : value === '' && known?.allowEmptyValue !== true
          ? `Empty value found for query parameter '${name}'`
          : undefined;
    if (message !== undefined) throw new BadRequest({ path: `/query/${name}`, message });
  }
}
