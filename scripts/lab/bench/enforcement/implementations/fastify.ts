import responseValidation from '@fastify/response-validation';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import type { OperationId } from '../../../../../generated/operations.ts';
import { ApiError } from '../../../../../server/contract/errors.ts';
import { validationError } from '../../../../../server/errors.ts';
import { formats } from '../../../../../server/lib/formats.ts';
import { entityTag } from '../../../../../server/own-contract/entity-tag.ts';
import { createAjv } from '../../../../lib/create-ajv.ts';
import { routeSchemas } from '../route-schemas.ts';
import type { AuthenticatedRequest, BegunRequest, Serve, SharedHandlers } from '../shared-handlers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    begun: BegunRequest;
    admitted: AuthenticatedRequest | undefined;
  }
}

const ajvOptions = { allErrors: true, strict: false, useDefaults: true, formats };

/** Fastify 5 with its response-validation plugin. Validation and serialization use the contract's schemas. */
export const serve: Serve = async (shared) => {
  const app = fastify({ genReqId: () => '', requestIdHeader: false });
  const addresses = createAjv({ ...ajvOptions, coerceTypes: 'array' });
  const bodies = createAjv(ajvOptions);
  // Types are coerced in parameters and headers, but not in bodies.
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? bodies : addresses).compile(schema as object),
  );
  await app.register(responseValidation, { ajv: createAjv(ajvOptions) });
  app.decorateRequest('begun');
  app.decorateRequest('admitted');
  app.addHook('onRequest', async (req, reply) => {
    req.begun = shared.begin(req.raw);
    reply.header('X-Request-Id', req.begun.requestId);
  });
  app.setErrorHandler((error, _req, reply) => {
    const { status, headers, body } = shared.failed(refusedByIt(error));
    return reply.code(status).headers(headers).send(body);
  });
  app.addHook('onSend', async (req, reply, payload) => {
    const { operation } = req.routeOptions.config as { operation?: OperationId };
    if (operation && shared.isTagged(operation) && typeof payload === 'string')
      reply.header('ETag', entityTag(payload));
  });
  app.addHook('onResponse', async (req, reply) => {
    const { operation } = req.routeOptions.config as { operation?: string };
    shared.answered(req.begun, { operation, status: reply.statusCode, caller: req.admitted?.caller });
  });
  for (const operation of [
    'listContacts',
    'createContact',
    'searchContacts',
    'getContact',
    'createMessage',
  ] as const)
    route(app, shared, operation);
  await app.ready();
  return app.server;
};

function route(app: FastifyInstance, shared: SharedHandlers, operation: OperationId): void {
  const { method, url, schema } = routeSchemas(operation);
  app.route({
    method,
    url,
    schema,
    config: { operation } as object,
    onRequest: async (req, reply) => {
      req.admitted = await shared.admit(req.raw, operation);
      reply.headers(req.admitted.headers);
    },
    handler: async (req, reply): Promise<FastifyReply> => {
      if (!req.admitted) throw new Error('The request was not authenticated.');
      const { params, query, headers, body } = req;
      const response = await shared.handle(
        operation,
        { path: params as never, query: query as never, headers, body },
        req.admitted.caller,
      );
      return reply
        .code(response.status)
        .headers((response.headers ?? {}) as Record<string, string>)
        .send(response.body);
    },
  });
}

/** Converts Fastify's validation errors to `ApiError`. Returns other errors unchanged. */
function refusedByIt(error: unknown): unknown {
  if (!(error instanceof Error) || !('validation' in error) || !Array.isArray(error.validation)) return error;
  return new ApiError(
    validationError(
      error.validation.map(({ instancePath, message }) => ({
        field: String(instancePath),
        message: String(message),
      })),
    ),
  );
}
