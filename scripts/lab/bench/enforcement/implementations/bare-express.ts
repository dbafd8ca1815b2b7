import { createServer } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import type { OperationId } from '../../../../../generated/operations.ts';
import { answering, beginning, byText, failing } from '../express-adapter.ts';
import { readByHand } from '../manual-validation.ts';
import type { Serve } from '../shared-handlers.ts';

/** Express 5 as its guide has it: nothing is judged. */
export const serve: Serve = async (work) => {
  const app = plainExpress();
  app.use(beginning(work));
  app.use(express.json());
  routeByHand(app, (operation) =>
    answering(
      work,
      operation,
      (id, req) => readByHand(id, { id: req.params.id, query: { ...req.query }, body: req.body }, req),
      byText,
    ),
  );
  app.use(failing(work));
  return createServer(app);
};

export function plainExpress(): Express {
  const app = express();
  app.disable('x-powered-by');
  // The handlers give entity tags where the contract has them.
  app.disable('etag');
  return app;
}

export function routeByHand(
  app: Express,
  to: (operation: OperationId) => RequestHandler<{ id?: string }>,
): void {
  app.get('/api/v1/contacts', to('listContacts'));
  app.post('/api/v1/contacts', to('createContact'));
  app.get('/api/v1/contacts/search', to('searchContacts'));
  app.get('/api/v1/contacts/:id', to('getContact'));
  app.post('/api/v1/messages', to('createMessage'));
}
