import document from '../../../../../generated/openapi.json' with { type: 'json' };
import { createApp } from '../../../../../server/app.ts';
import { createHttpServer } from '../../../../../server/http/server.ts';
import type { Serve } from '../shared-handlers.ts';

/** The service as `npm start` has it: everything is judged, and what is no HTTP is refused. */
export const serve: Serve = async ({ dependencies, limits, log }) =>
  createHttpServer(
    await createApp({
      ...dependencies,
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
