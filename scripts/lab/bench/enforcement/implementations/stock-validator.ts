import { createServer } from 'node:http';
import express, { type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import document from '../../../../../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../../../../generated/operations.ts';
import { ApiError } from '../../../../../server/contract/errors.ts';
import { errorResponse, validationError } from '../../../../../server/errors.ts';
import { stockValidatorOptions } from '../../../../../server/validation/second-validator/stock-middleware.ts';
import {
  authenticateRequest,
  beginRequest,
  errorHandler,
  handleWith,
  sendWithExpress,
} from '../express-adapter.ts';
import type { Serve } from '../shared-handlers.ts';
import { addRoutes, createBareExpress } from './bare-express.ts';

/** Express with express-openapi-validator, with validation of requests and responses. */
export const serve: Serve = async (shared) => {
  const app = createBareExpress();
  app.use(beginRequest(shared));
  app.use(express.json());
  app.use(
    middleware({
      ...stockValidatorOptions(),
      apiSpec: JSON.parse(JSON.stringify(document)),
      validateSecurity: {
        handlers: {
          bearerAuth: async (req, _scopes, _scheme) => {
            // The library adds `openapi` to requests, but its types do not include it.
            const { openapi } = req as typeof req & { openapi: { schema: { operationId: OperationId } } };
            await authenticateRequest(shared, openapi.schema.operationId, req, req.res as Response);
            return true;
          },
        },
      },
    }),
  );
  addRoutes(app, (operation) =>
    handleWith(
      shared,
      operation,
      (_id, req) => ({
        path: req.params,
        query: req.query,
        headers: req.headers,
        body: req.body,
      }),
      sendWithExpress,
    ),
  );
  app.use(errorHandler(shared, refusedByIt));
  return createServer(app);
};

/** Converts the validator's errors to `ApiError`. Returns other errors unchanged. */
function refusedByIt(error: unknown): unknown {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return error;
  if (error instanceof ApiError || ('status' in error && error.status === 500)) return error;
  // The validator wraps the security handler's `ApiError` in a 401 error, so a new `ApiError` is created.
  if ('status' in error && error.status === 401)
    return new ApiError(errorResponse('tokenUnknown', { headers: { 'WWW-Authenticate': 'Bearer' } }));
  return new ApiError(
    validationError(
      error.errors.map(({ path, message }) => ({ field: String(path), message: String(message) })),
    ),
  );
}
