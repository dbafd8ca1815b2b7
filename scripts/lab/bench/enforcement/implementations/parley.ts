import document from '../../../../../generated/openapi.json' with { type: 'json' };
import { createApp } from '../../../../../server/app.ts';
import { createHttpServer } from '../../../../../server/http/server.ts';
import type { Serve } from '../shared-handlers.ts';

/** The service as `npm start` runs it. */
export const serve: Serve = async ({ store, dependencies, limits, log }) =>
  createHttpServer(
    await createApp({
      ...dependencies,
      store,
      document,
      limits,
      allowedOrigins: [],
      isReady: () => true,
      onResponse: ({ caller, ...record }) =>
        log.info({ ...record, company: caller?.companyId }, 'request completed'),
      onError: ({ error }) => {
        throw error;
      },
    }),
  );
