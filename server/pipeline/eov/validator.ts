/**
 * The one judge of requests and answers: express-openapi-validator, reached directly.
 *
 * The stock middleware repeats the routing that Express has just done, and sees only answers that are sent
 * with `res.json`; the first is slow, the second leaves gaps. So this file and workshop.ts, and no others, take the classes
 * from its `dist` folder (the package has no exports map; its version is pinned exactly) and hands out the
 * functions that they compile. Brackets (`requests['ajv']`) are how TypeScript lets one reach what a class
 * calls private, and still checks that it is there. `test/server/pipeline/eov/differential.test.ts` holds our way to
 * the stock middleware's verdicts.
 */
import type { ValidateFunction } from 'ajv';
import type { AnyValidateFunction } from 'ajv/dist/types/index.js';
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import type { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import type { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { augmentAjvErrors } from 'express-openapi-validator/dist/middlewares/util.js';
import { deprecationHeaders } from '../deprecation-headers.ts';
import { hasMoreValuesThan } from '../json-size.ts';
import {
  type CompiledOperation,
  type ContractDocument,
  isPlainParameter,
  type RequestParts,
  type SchemaViolation,
} from '../operation.ts';
import { deriveOperationId } from '../operation-id.ts';
import { groupParameters } from '../parameters.ts';
import { type CompiledValidators, compileValidators, memoize, type Route } from './compile.ts';
import {
  headersSchemaOf,
  type PreparedOperation,
  parametersOf,
  requestTypesOf,
  resolve,
  responsesOf,
} from './read-operations.ts';
import { toViolations, violationsInError } from './validation-errors.ts';

/**
 * Of a body with more values than this only the first fault is named. Ajv copies its list of faults with
 * each one that it finds behind a reference: 500,000 of them kept one process busy for minutes.
 */
const largestThorough = 2_000;

const judged = new WeakMap<ContractDocument, Promise<CompiledOperation[]>>();

/**
 * Reads a contract and compiles what judges it, once, however many pipelines are made of it.
 * @param document any bundled OpenAPI 3.1 document; it is not changed, and may not change afterwards
 * @throws Error where the document cannot be compiled
 */
export function compileContract(document: ContractDocument): Promise<CompiledOperation[]> {
  const judges = judged.get(document) ?? compileJudges(document);
  judged.set(document, judges);
  return judges;
}

async function compileJudges(document: ContractDocument): Promise<CompiledOperation[]> {
  const workshop = await compileValidators(document);
  return workshop.spec.routes.map((route) => judgeOperation(workshop, route));
}

function judgeOperation(workshop: CompiledValidators, route: Route): CompiledOperation {
  const { apiDoc } = workshop.spec;
  const operation = operationAt(apiDoc, route);
  const parameters = parametersOf(apiDoc, operation);
  const requestTypes = requestTypesOf(apiDoc, operation);
  const judgeWith =
    parameters.every(isPlainParameter) && !hasDiscriminator(apiDoc, operation)
      ? plainRequests
      : composedRequests;
  const thorough = judgeWith(workshop.requests, route, operation, requestTypes);
  const quick = memoize(() => judgeWith(workshop.quickRequests(), route, operation, requestTypes));
  return {
    id:
      operation.operationId ??
      deriveOperationId(route.method, route.openApiRoute.slice(route.basePath.length)),
    method: route.method.toLowerCase(),
    path: route.openApiRoute,
    basePath: route.basePath,
    security: operation.security ?? apiDoc.security ?? [],
    parameters,
    reading: groupParameters(parameters),
    requestTypes,
    // The class takes the schema's own `required` for this, and lets a missing body pass without it.
    bodyRequired: resolve(apiDoc, operation.requestBody).required === true,
    responses: responsesOf(apiDoc, operation),
    lifecycle: deprecationHeaders(operation),
    validateRequest: (parts, ...rest) =>
      (hasMoreValuesThan(parts.body, largestThorough) ? quick() : thorough)(parts, ...rest),
    ...judgeAnswers(workshop, route),
  };
}

function operationAt(document: Spec['apiDoc'], { openApiRoute, basePath, method }: Route): PreparedOperation {
  const item: unknown = document.paths?.[openApiRoute.slice(basePath.length)];
  return resolve(document, resolve(document, item)[method.toLowerCase()]);
}

/** Bodies that name their kind in a property are judged by the class: it chooses the schema. */
function hasDiscriminator(document: Spec['apiDoc'], operation: PreparedOperation): boolean {
  return JSON.stringify(resolve(document, operation.requestBody)).includes('"discriminator"');
}

type JudgeRequest = CompiledOperation['validateRequest'];

/** The compiled functions themselves: what plain values need, and the quick way. */
function plainRequests(
  requests: RequestValidator,
  route: Route,
  operation: PreparedOperation,
  requestTypes: string[],
): JudgeRequest {
  const compiled = memoize(() => {
    const types = requestTypes.length > 0 ? requestTypes : [undefined];
    return new Map(types.map((type) => [type, compiledFor(requests, route, operation, type)]));
  });
  return (parts, mediaType) => {
    const functions = compiled().get(mediaType ?? requestTypes[0]);
    if (!functions) throw new Error(`${route.openApiRoute} takes no ${mediaType}.`);
    const { general, body } = functions;
    return [...(general(parts) ? [] : findingsOf(general)), ...(body(parts) ? [] : findingsOf(body))];
  };
}

function compiledFor(requests: RequestValidator, route: Route, operation: PreparedOperation, type?: string) {
  // One probe makes the class compile; what it says of the empty request does not matter.
  try {
    requests.validate(
      ...requestFor(
        route,
        operation,
        type,
        { query: {}, headers: {}, params: {}, cookies: {}, body: undefined },
        '',
      ),
    );
  } catch {}
  const key = `${route.method}-${route.expressRoute}-${type?.toLowerCase() ?? 'not_provided'}`;
  const general = requests['ajv'].getSchema(key);
  const body = requests['ajvBody'].getSchema(key);
  if (!general || !body)
    throw new Error(`${route.method} ${route.openApiRoute} cannot be compiled for ${type}.`);
  return { general: asSync(general), body: asSync(body) };
}

/** The class as it is: it takes lists, objects and encoded parameters apart before it judges. */
function composedRequests(
  requests: RequestValidator,
  route: Route,
  operation: PreparedOperation,
  requestTypes: string[],
): JudgeRequest {
  return (parts, mediaType, url) => {
    const [req, res, next] = requestFor(route, operation, mediaType ?? requestTypes[0], parts, url);
    try {
      requests.validate(req, res, next);
    } catch (error) {
      return violationsInError(error);
    }
    Object.assign(parts, { query: req.query, params: req.params, body: req.body });
    return [];
  };
}

/** The request as the class expects it: only what it reads. */
function requestFor(
  route: Route,
  operation: PreparedOperation,
  mediaType: string | undefined,
  parts: RequestParts,
  url: string,
): Parameters<RequestValidator['validate']> {
  const { query, params, cookies, body } = parts;
  const headers = mediaType === undefined ? parts.headers : { ...parts.headers, 'content-type': mediaType };
  const openapi = {
    expressRoute: route.expressRoute,
    openApiRoute: route.openApiRoute,
    pathParams: params,
    schema: operation,
  };
  const request: unknown = {
    method: route.method,
    path: url,
    originalUrl: url,
    headers,
    query,
    params,
    cookies,
    body,
    openapi,
  };
  return [request as Parameters<RequestValidator['validate']>[0], {} as never, () => {}];
}

function judgeAnswers({ responses, answersDocument, requests }: CompiledValidators, route: Route) {
  const documented = operationAt(answersDocument, route).responses ?? {};
  const bodies = memoize(() => {
    const request: unknown = {
      method: route.method,
      headers: {},
      openapi: { expressRoute: route.expressRoute },
    };
    const built: unknown = responses._getOrBuildValidator(
      request as Parameters<ResponseValidator['_getOrBuildValidator']>[0],
      documented as Parameters<ResponseValidator['_getOrBuildValidator']>[1],
    );
    return built as Record<string, Record<string, ValidateFunction>>;
  });
  const headers = new Map<string, ValidateFunction>();
  return {
    validateBody(status: string, mediaType: string, body: unknown): SchemaViolation[] {
      const validate = bodies()[status]?.[mediaType];
      return !validate || validate({ response: body }) ? [] : findingsOf(validate, '/response');
    },
    validateHeaders(status: string, given: Record<string, unknown>): SchemaViolation[] {
      const validate =
        headers.get(status) ??
        asSync(requests['ajv'].compile(headersSchemaOf(answersDocument, documented[status])));
      headers.set(status, validate);
      return validate(given) ? [] : findingsOf(validate);
    },
  };
}

/** What a compiled function has found, in the stock middleware's words. */
const findingsOf = ({ errors }: ValidateFunction, root = ''): SchemaViolation[] =>
  toViolations(augmentAjvErrors(errors ?? []), root);

/** Contracts hold no asynchronous schemas: `$async` is a word of Ajv's own. */
const asSync = (validate: AnyValidateFunction): ValidateFunction => validate as ValidateFunction;
