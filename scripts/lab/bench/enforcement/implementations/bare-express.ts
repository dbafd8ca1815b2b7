import { createServer } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import type { OperationId } from '../../../../../generated/operations.ts';
import { beginRequest, errorHandler, handleWith, sendText } from '../express-adapter.ts';
import { parseManually } from '../manual-validation.ts';
import type { Serve } from '../shared-handlers.ts';

/** Express 5, used as its guide describes, without schema validation. */
export const serve: Serve = async (shared) => {
  const app = createBareExpress();
  app.use(beginRequest(shared));
  app.use(express.json());
  addRoutes(app, (operation) => handleWith(shared, operation, parseManually, sendText));
  app.use(errorHandler(shared));
  return createServer(app);
};

export function createBareExpress(): Express {
  const app = express();
  app.disable('x-powered-by');
  // express-adapter.ts sets entity tags, and only where the contract documents them.
  app.disable('etag');
  return app;
}

export function addRoutes(
  app: Express,
  to: (operation: OperationId) => RequestHandler<{ id?: string }>,
): void {
  app.get('/api/v1/contacts', to('listContacts'));
  app.post('/api/v1/contacts', to('createContact'));
  app.get('/api/v1/contacts/search', to('searchContacts'));
  app.get('/api/v1/contacts/:id', to('getContact'));
  app.post('/api/v1/messages', to('createMessage'));
}
