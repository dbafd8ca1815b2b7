import document from '../../../../../generated/openapi.json' with { type: 'json' };
import { createApp } from '../../../../../server/app.ts';
import { createHttpServer } from '../../../../../server/http/server.ts';
import type { Serve } from '../shared-handlers.ts';

/** The service as `npm start` has it: everything is judged, and what is no HTTP is refused. */
export const serve: Serve = async ({ needs, limits, log }) =>
  createHttpServer(
    await createApp({
      ...needs,
      document,
      limits,
      allowedOrigins: [],
      isReady: () => true,
      onAnswered: ({ caller, ...record }) => log.info({ ...record, company: caller?.companyId }, 'answered'),
      onFault: ({ error }) => {
        throw error;
      },
    }),
  );
