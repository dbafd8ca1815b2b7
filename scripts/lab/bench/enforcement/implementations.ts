import document from '../../../../generated/openapi.json' with { type: 'json' };
import { createExpressServer, readByHand, sendText, sendWithExpress } from './express-server.ts';
import type { Serve } from './shared-handlers.ts';

/** The middleware grants every scope, because the routes check the token, as in the application without validation. */
const everyScope: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });

/** The implementations by their names in the results. Each process loads what its own needs. */
export const implementations = {
  /** Without schema validation. */
  Express: async (shared) => createExpressServer(shared, { read: readByHand, send: sendText }),

  /** Validates requests and responses. */
  async 'Express, stock validator'(shared) {
    const { middleware } = await import('express-openapi-validator');
    const { stockValidatorOptions } = await import(
      '../../../../server/validation/second-validator/stock-middleware.ts'
    );
    const validate = middleware({
      ...stockValidatorOptions(),
      // The middleware changes its document, and its type of one is narrower than OpenAPI 3.1.
      apiSpec: structuredClone(document) as never,
      validateSecurity: { handlers: { bearerAuth: () => true } },
    });
    return createExpressServer(shared, {
      middleware: validate,
      read: ({ params, query, headers, body }) => ({ path: params, query, headers, body }),
      send: sendWithExpress,
    });
  },

  /** Validates requests and responses, too. */
  async 'Express, our middleware'(shared) {
    const { contract } = await import('../../../../generated/contract.js');
    const { errorFormat } = await import('../../../../server/errors.ts');
    const { validateRoutes } = await import('../../../../server/http/express/validate-routes.ts');
    const validate = validateRoutes({
      contract,
      errors: errorFormat,
      authenticate: async () => ({ caller: undefined, scopes: everyScope, headers: {} }),
    });
    return createExpressServer(shared, {
      middleware: validate,
      read: (req) => (req as typeof req & { contract: never }).contract,
      send: sendWithExpress,
    });
  },

  /** The service as `npm start` runs it. */
  async Parley({ store, dependencies, limits, log }) {
    const { createApp } = await import('../../../../server/app.ts');
    const { createHttpServer } = await import('../../../../server/http/server.ts');
    const app = await createApp({
      ...{ ...dependencies, store, document, limits },
      allowedOrigins: [],
      isReady: () => true,
      onResponse: ({ caller, ...record }) =>
        log.info({ ...record, company: caller?.companyId }, 'request completed'),
      onError: ({ error }) => {
        throw error;
      },
    });
    return createHttpServer(app);
  },
} satisfies Record<string, Serve>;

export type Implementation = keyof typeof implementations;
