import { createServer } from 'node:http';
import express from 'express';
import { contract } from '../../../../../generated/contract.js';
import { ApiError } from '../../../../../server/contract/errors.ts';
import { errorFormat, errorResponse } from '../../../../../server/errors.ts';
import { ContractError } from '../../../../../server/http/express/contract-error.ts';
import { validateRoutes } from '../../../../../server/http/express/validate-routes.ts';
import { beginRequest, errorHandler, handleWith, sendWithExpress } from '../express-adapter.ts';
import type { Serve } from '../shared-handlers.ts';
import { addRoutes, createBareExpress } from './bare-express.ts';

/** The middleware grants every scope, because the routes check the token, as in the bare application. */
const everyScope: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });

/** Express with our middleware, which validates requests and responses, in front of its routes. */
export const serve: Serve = async (shared) => {
  const app = createBareExpress();
  app.use(beginRequest(shared));
  app.use(express.json());
  app.use(
    validateRoutes({
      contract,
      errors: errorFormat,
      authenticate: async () => ({ caller: undefined, scopes: everyScope, headers: {} }),
    }),
  );
  addRoutes(app, (operation) =>
    handleWith(
      shared,
      operation,
      (_id, req) => (req as typeof req & { contract: never }).contract,
      sendWithExpress,
    ),
  );
  app.use(errorHandler(shared, known));
  return createServer(app);
};

const known = (error: unknown): unknown =>
  error instanceof ContractError
    ? new ApiError(
        errorResponse('validationFailed', {
          message: error.message,
          fields: error.errors.map(({ path }) => path).join(', '),
        }),
      )
    : error;
