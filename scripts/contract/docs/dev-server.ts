import { createServer, type Server, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import express from 'express';
import { type AllowedCallers, allowLocalCallers } from '../../lib/local-server.ts';

/**
 * Creates an HTTP server for a folder of pages. The server does not listen yet.
 * @param callers callers besides those of this machine
 * @returns the server, and a function that reloads all open pages
 */
export function createDocsServer(
  folder: string,
  callers?: AllowedCallers,
): { server: Server; notifyChanged: () => void } {
  const listeners = new Set<ServerResponse>();
  const app = express();
  app.disable('x-powered-by');
  app.use(allowLocalCallers(callers));
  app.get(/\/live$/, (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    res.flushHeaders();
    listeners.add(res);
    res.on('close', () => listeners.delete(res));
  });
  app.use(express.static(folder, { cacheControl: false }));
  app.use((_req, res) => res.status(404).sendFile(resolve(folder, '404.html')));
  const notifyChanged = () => {
    for (const listener of listeners) listener.write('event: changed\ndata: \n\n');
  };
  return { server: createServer(app), notifyChanged };
}
