import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import { type Context, OpenAPIBackend } from 'openapi-backend';
import document from '../../../../../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../../../../generated/operations.ts';
import { ApiError } from '../../../../../server/contract/errors.ts';
import { validationError } from '../../../../../server/errors.ts';
import { formats } from '../../../../../server/lib/formats.ts';
import { createAjv } from '../../../../lib/create-ajv.ts';
import {
  authenticateRequest,
  beginRequest,
  errorHandler,
  handleWith,
  sendWithExpress,
} from '../express-adapter.ts';
import type { Serve } from '../shared-handlers.ts';
import { createBareExpress } from './bare-express.ts';

const names = ['listContacts', 'createContact', 'searchContacts', 'getContact', 'createMessage'] as const;

/** openapi-backend on Express, with validation of requests, responses and response headers. */
export const serve: Serve = async (shared) => {
  const app = createBareExpress();
  const handlers = Object.fromEntries(
    names.map((operation) => [
      operation,
      async (context: Context, req: Request<{ id?: string }>, res: Response) => {
        const { params, query, headers, requestBody } = context.request;
        const send = res.json.bind(res);
        res.json = (body) => {
          const { errors } = context.api.validateResponse(body, context.operation, res.statusCode);
          const inHeaders = context.api.validateResponseHeaders(res.getHeaders(), context.operation, {
            statusCode: res.statusCode,
          });
          if (errors || inHeaders.errors) throw new Error('The response violates the contract.');
          return send(body);
        };
        await handleWith(
          shared,
          operation,
          () => ({ path: params, query, headers, body: requestBody }),
          sendWithExpress,
        )(req, res, () => {});
      },
    ]),
  );
  const backend = new OpenAPIBackend({
    definition: JSON.parse(JSON.stringify(document)),
    quick: true,
    coerceTypes: true,
    ajvOpts: { allErrors: true, strict: false, useDefaults: true, formats },
    customizeAjv: (_theirs, options) => createAjv(options) as never,
    handlers: {
      ...handlers,
      validationFail: ({ validation }) => {
        throw new ApiError(
          validationError(
            [validation.errors ?? []].flat().map((error) => ({
              field: typeof error === 'string' ? '' : error.instancePath,
              message: typeof error === 'string' ? error : (error.message ?? ''),
            })),
          ),
        );
      },
      unauthorizedHandler: ({ security }) => {
        throw security.bearerAuth.error;
      },
    },
    securityHandlers: {
      bearerAuth: async ({ operation }, req: Request<{ id?: string }>, res: Response) => {
        await authenticateRequest(shared, operation.operationId as OperationId, req, res);
        return true;
      },
    },
  });
  await backend.init();
  app.use(beginRequest(shared));
  app.use(express.json());
  app.use(async (req, res) => {
    const { method, path, body, query, headers } = req;
    await backend.handleRequest(
      {
        method,
        path,
        body,
        query: query as Record<string, string>,
        headers: headers as Record<string, string>,
      },
      req,
      res,
    );
  });
  app.use(errorHandler(shared));
  return createServer(app);
};
