import { createServer } from 'node:http';
import express from 'express';
import type { ContractMiddleware } from '../../../../server/http/express/pipeline.ts';
import { startListening } from '../../../support/start-listening.ts';

/**
 * Sends a request without a body to middleware in front of routes that respond 204 to everything.
 * @returns the status
 */
export async function responseOf(
  middleware: ContractMiddleware,
  method: string,
  path: string,
): Promise<number> {
  const app = express();
  app.use(middleware, (_req, res) => void res.status(204).end());
  const onError: express.ErrorRequestHandler = (error, _req, res, _next) =>
    void res.status(Number(error?.status ?? 500)).end();
  app.use(onError);
  const url = await startListening(createServer(app));
  return (await fetch(url + path, { method })).status;
}
