import type { ValidateFunction } from 'ajv';
import type { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ContentType } from 'express-openapi-validator/dist/middlewares/util.js';
import type { RequestParts } from '../operation.ts';
import { violationsInError } from '../violations.ts';
import type { Route } from './compile.ts';
import { asSync } from './compiled-function.ts';
import type { PreparedOperation } from './read-operations.ts';

export const emptyParts = (): RequestParts => ({
  query: {},
  headers: {},
  params: {},
  cookies: {},
  body: undefined,
});

/** The functions that validate the requests of an operation with one media type. */
interface RequestFunctions {
  /** Validates everything but the body. */
  general: ValidateFunction;
  body: ValidateFunction;
}

/**
 * Returns the functions that `RequestValidator` compiles.
 * @param type a documented media type, or undefined if the operation documents no body
 */
export function compiledFor(
  requests: RequestValidator,
  route: Route,
  operation: PreparedOperation,
  type?: string,
): RequestFunctions {
  // Validating an empty request makes `RequestValidator` compile its functions. The violations do not matter.
  try {
    requests.validate(...requestFor(route, operation, type, emptyParts(), ''));
  } catch (error) {
    violationsInError(error);
  }
  const key = `${route.method}-${route.expressRoute}-${ContentType.fromString(type ?? '').normalize() ?? 'not_provided'}`;
  const general = requests['ajv'].getSchema(key);
  const body = requests['ajvBody'].getSchema(key);
  if (!general || !body)
    throw new Error('express-openapi-validator has no validator for it: the release is not compatible.');
  return { general: asSync(general), body: asSync(body) };
}

/** Returns the arguments of `RequestValidator.validate`. The request has only the properties that are read. */
export function requestFor(
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
