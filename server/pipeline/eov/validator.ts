/**
 * Validates requests and responses with the compiled functions of express-openapi-validator.
 *
 * The stock middleware repeats the routing that Express has done, and validates only responses that are sent
 * with `res.json`. So the files in this folder import the classes from the package's `dist` folder (it has no
 * exports map; its version is pinned) and call the functions that the classes compile. Brackets
 * (`requests['ajv']`) let TypeScript check private members. `test/server/pipeline/eov/differential.test.ts`
 * compares our results with those of the stock middleware.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import type { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { InputLimitError } from '../../lib/input-limit.ts';
import { withWorkLimit } from '../../lib/work-limit.ts';
import { basePathsOf } from '../base-paths.ts';
import { deprecationHeaders } from '../deprecation-headers.ts';
import { exceedsErrorLimits, isNestedDeeperThan, maxDepthForAllErrors } from '../json-size.ts';
import {
  type CompiledOperation,
  type ContractDocument,
  type ContractOperation,
  type ContractParameter,
  isPlainParameter,
  type RequestParts,
  type SchemaViolation,
} from '../operation.ts';
import { deriveOperationId } from '../operation-id.ts';
import { groupParameters } from '../parameters.ts';
import { violationsInError } from '../violations.ts';
import { prepareBrackets } from './bracket-names.ts';
import { type CompiledValidators, compileValidators, memoize, type Route } from './compile.ts';
import { findingsOf } from './compiled-function.ts';
import { createCollector, withoutExploded } from './exploded-objects.ts';
import { isJsonParameter, parseJsonParameters } from './json-parameters.ts';
import {
  type PreparedOperation,
  parametersOf,
  requestContentOf,
  resolve,
  responsesOf,
} from './read-operations.ts';
import { compiledFor, emptyParts, requestFor } from './request-functions.ts';
import { nodesAt, operationAt } from './route-nodes.ts';
import { compileResponseValidation } from './validate-responses.ts';
import {
  keepSchemas,
  type SchemaDocuments,
  schemaDocumentsOf,
  type ValidationSchemas,
  validationSchemasOf,
} from './validation-schemas.ts';

/** An operation and the schemas that its validators would compile, for code that compiles them for another program. */
export interface OperationWithSchemas extends ContractOperation {
  schemas: () => ValidationSchemas;
}

const compiledDocuments = new WeakMap<ContractDocument, Promise<CompiledOperation[]>>();

/**
 * Compiles a contract, once per document.
 * @param document a bundled OpenAPI 3.1 document, which must not change afterwards
 * @throws Error if the document cannot be compiled
 */
export function compileContract(document: ContractDocument): Promise<CompiledOperation[]> {
  const operations =
    compiledDocuments.get(document) ??
    compileValidators(document).then((validators) => operationsOf(document, validators));
  compiledDocuments.set(document, operations);
  return operations;
}

/**
 * Returns the schemas against which a contract's messages are validated, without compiling them.
 * @param document a bundled OpenAPI 3.1 document
 * @returns also `documents`, into which the references of the schemas lead
 * @throws Error if the document cannot be read
 */
export async function schemasOfContract(
  document: ContractDocument,
): Promise<{ operations: OperationWithSchemas[]; documents: SchemaDocuments }> {
  const validators = await compileValidators(document);
  keepSchemas(validators);
  return { operations: operationsOf(document, validators), documents: schemaDocumentsOf(validators) };
}

/**
 * Compiles all schemas now instead of at the first request that needs them, one operation per turn of the event loop.
 * @throws Error naming the operation that cannot be compiled, with the cause
 */
export async function compileAllSchemas(document: ContractDocument): Promise<void> {
  for (const operation of await compileContract(document)) {
    naming(operation.id, () => compileSchemas(operation));
    await nextTurn();
  }
}

/** Adds the name of an operation to an error. */
function naming<Result>(operation: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The operation ${operation} cannot be compiled: ${reason}`, { cause });
  }
}

/** Validates empty values to force compilation, because schemas are compiled on first use. */
function compileSchemas({ requestTypes, responses, ...operation }: CompiledOperation): void {
  for (const type of requestTypes.length > 0 ? requestTypes : [undefined])
    operation.validateRequest(emptyParts(), type, '');
  for (const [status, { mediaTypes }] of Object.entries(responses)) {
    operation.validateHeaders(status, {});
    for (const type of mediaTypes) operation.validateBody(status, type, undefined);
  }
}

function operationsOf(
  document: ContractDocument,
  validators: CompiledValidators,
): (CompiledOperation & OperationWithSchemas)[] {
  // The loader lists the servers of a path as if they were an operation.
  const routes = validators.spec.routes.filter(({ method }) => method !== 'SERVERS');
  return routes.flatMap((route) => {
    const servers = ownServers(document, route);
    const operation = naming(`${route.method} ${route.openApiRoute}`, () =>
      compileOperation(document, validators, route),
    );
    if (!servers) return [operation];
    // The loader lists the operation once per base path of the document. The first one suffices.
    if (route.basePath !== validators.spec.basePaths[0]) return [];
    const template = operation.path.slice(operation.basePath.length);
    return basePathsOf(servers).map((basePath) => ({ ...operation, basePath, path: basePath + template }));
  });
}

/** Returns the servers of an operation or its path, which replace those of the document. */
function ownServers(document: ContractDocument, route: Route): unknown[] | undefined {
  const { item, operation } = nodesAt(document, route);
  return [operation.servers, item.servers].find(
    (servers): servers is unknown[] => Array.isArray(servers) && servers.length > 0,
  );
}

function compileOperation(
  document: ContractDocument,
  validators: CompiledValidators,
  route: Route,
): CompiledOperation & OperationWithSchemas {
  const { apiDoc } = validators.spec;
  const prepared = operationAt(apiDoc, route);
  // The prepared document lacks examples.
  const written = operationAt(document, route);
  const parameters = parametersOf(apiDoc, prepared);
  const follow = (node: unknown) => resolve(apiDoc, node);
  const operation = withoutExploded(prepared, parameters, follow);
  const collect = createCollector(prepared.parameters ?? [], parameters, follow);
  const requestContent = requestContentOf(document, written);
  const requestTypes = [...requestContent.keys()];
  const isComposed = !parameters.every(isPlainParameter);
  const compileWith = isComposed || hasDiscriminator(apiDoc, operation) ? composedRequests : plainRequests;
  const rest = [route, operation, requestTypes, parameters, collect] as const;
  const thorough = compileWith(validators.requests, ...rest);
  const quick = memoize(() => compileWith(validators.quickRequests(), ...rest));
  const responses = compileResponseValidation(validators, route);
  const quickResponses = memoize(() =>
    compileResponseValidation({ ...validators, responses: validators.quickResponses() }, route),
  );
  return {
    id:
      operation.operationId ??
      deriveOperationId(route.method, route.openApiRoute.slice(route.basePath.length)),
    method: route.method.toLowerCase(),
    path: route.openApiRoute,
    basePath: route.basePath,
    security: operation.security ?? apiDoc.security ?? [],
    parameters,
    parameterGroups: groupParameters(parameters),
    requestTypes,
    requestContent,
    // `RequestValidator` reads `required` of the schema instead, and would accept a missing body.
    bodyRequired: resolve(apiDoc, operation.requestBody).required === true,
    responses: responsesOf(document, written),
    deprecationHeaders: deprecationHeaders(operation),
    validateRequest: (parts, mediaType, url) => {
      const isLarge = exceedsErrorLimits(parts.body, isComposed ? parametersLength(parts, url) : 0);
      const findFirst = () => quick()(parts, mediaType, url);
      return isLarge || isDeep(parts.body)
        ? findFirst()
        : allOrFirst(() => thorough(parts, mediaType, url), findFirst);
    },
    // Almost all bodies are valid. Only for the others must the depth be known, and all errors be listed.
    validateBody: (status, mediaType, body) => {
      const first = quickResponses().validateBody(status, mediaType, body);
      return first.length === 0 || body === undefined || isDeep(body)
        ? first
        : allOrFirst(
            () => responses.validateBody(status, mediaType, body),
            () => first,
          );
    },
    validateHeaders: responses.validateHeaders,
    schemas: () =>
      validationSchemasOf(validators, route, operation, requestTypes, responses.bodies(), isComposed),
  };
}

/** Finds all violations, or only the first one if that takes too much work. */
function allOrFirst(findAll: () => SchemaViolation[], findFirst: () => SchemaViolation[]): SchemaViolation[] {
  try {
    return withWorkLimit(undefined, findAll);
  } catch (error) {
    if (error instanceof InputLimitError) return findFirst();
    throw error;
  }
}

/** Returns the length of the parameters that may be lists or objects, in characters. */
const parametersLength = ({ headers, cookies }: RequestParts, url: string): number =>
  [...Object.values(headers), ...Object.values(cookies)].reduce<number>(
    (length, value) => length + String(value).length,
    url.length,
  );

const isDeep = (body: unknown): boolean => isNestedDeeperThan(body, maxDepthForAllErrors);

/** Whether the body has a discriminator. `RequestValidator` validates such bodies, because it chooses the schema. */
function hasDiscriminator(document: Spec['apiDoc'], operation: PreparedOperation): boolean {
  return JSON.stringify(resolve(document, operation.requestBody)).includes('"discriminator"');
}

type ValidateRequest = CompiledOperation['validateRequest'];

/** Calls the compiled functions directly, for parameters that need no parsing. */
function plainRequests(
  requests: RequestValidator,
  route: Route,
  operation: PreparedOperation,
  requestTypes: string[],
): ValidateRequest {
  const compiled = memoize(() => {
    const types = requestTypes.length > 0 ? requestTypes : [undefined];
    return new Map(types.map((type) => [type, compiledFor(requests, route, operation, type)]));
  });
  return (parts, mediaType) => {
    const functions = compiled().get(mediaType ?? requestTypes[0]);
    if (!functions) throw new Error(`${route.openApiRoute} does not accept ${mediaType}.`);
    const { general, body } = functions;
    // A missing body is not validated. The caller checks whether one is required.
    const isBodyValid = parts.body === undefined || body(parts);
    return [...(general(parts) ? [] : findingsOf(general)), ...(isBodyValid ? [] : findingsOf(body))];
  };
}

/** Calls `RequestValidator`, which parses arrays, objects and encoded parameters before it validates. */
function composedRequests(
  requests: RequestValidator,
  route: Route,
  operation: PreparedOperation,
  requestTypes: string[],
  parameters: readonly ContractParameter[],
  collect: ReturnType<typeof createCollector>,
): ValidateRequest {
  const jsonParameters = parameters.filter(isJsonParameter);
  return (parts, mediaType, url) => {
    const parsed = jsonParameters.length === 0 ? parts : parseJsonParameters(jsonParameters, parts);
    const given = { ...parsed, query: prepareBrackets(collect(parsed.query), parameters) };
    const [req, res, next] = requestFor(route, operation, mediaType ?? requestTypes[0], given, url);
    try {
      requests.validate(req, res, next);
    } catch (error) {
      const violations = violationsInError(error);
      // A missing body is not validated. The caller checks whether one is required.
      return parts.body === undefined
        ? violations.filter(({ pointer }) => !/^\/body(\/|$)/.test(pointer))
        : violations;
    }
    const body = parts.body === undefined ? undefined : req.body;
    const { 'content-type': _mediaType, ...headers } = req.headers;
    Object.assign(parts, {
      query: { ...req.query },
      params: req.params,
      headers,
      cookies: given.cookies,
      body,
    });
    return [];
  };
}
