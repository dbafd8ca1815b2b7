import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler } from 'express';
import { validation } from './validation.js';

interface Ticket {
  id: string;
  email: string;
  seats: number;
  class: string;
  site?: string;
  opened: Date;
}

class SoldOut extends Error {}

/** Number of seats that can be sold. */
const seats = 20;

/** Its 409 is missing in the contract. */
const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  if (error instanceof SoldOut)
    return void res.status(409).json({ code: 'sold-out', message: error.message });
  const status = error.status ?? 500;
  res.status(status).json({ code: status < 500 ? 'invalid' : 'failed', message: error.message });
};

export function createApp() {
  const first: Ticket = {
    id: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
    email: 'bob@example.com',
    seats: 1,
    class: 'first',
    opened: new Date('2024-05-01T10:00:00Z'),
  };
  const tickets = new Map([[first.id, first]]);
  const app = express();
  app.use(express.json());
  app.use(validation());

  // Only the test sends this header.
  app.use((req, res, next) => {
    const what = req.get('X-Break');
    if (what === 'status') res.status(202).json(first);
    else if (what === 'format') res.json({ ...first, email: 'nobody' });
    else if (what === 'missing') res.json({ ...first, opened: undefined });
    else if (what === 'sold-out') throw new SoldOut('No seats are left.');
    else if (what === 'list') res.json([first, { ...first, opened: 'yesterday' }]);
    else next();
  });

  app.get('/tickets', (req, res) => {
    const { since } = req.query;
    const isSince = ({ opened }: Ticket) => !since || opened >= new Date(String(since));
    res.json([...tickets.values()].filter(isSince));
  });
  app.post('/tickets', (req, res) => {
    const sold = [...tickets.values()].reduce((sum, ticket) => sum + ticket.seats, 0);
    if (sold + req.body.seats > seats) throw new SoldOut('No seats are left.');
    const ticket: Ticket = { ...req.body, id: randomUUID(), opened: new Date() };
    tickets.set(ticket.id, ticket);
    res.status(201).json(ticket);
  });
  app.get('/tickets/:id', async (req, res) => {
    const ticket = tickets.get(req.params.id);
    if (!ticket) throw Object.assign(new Error('There is no such ticket.'), { status: 404 });
    res.json(ticket);
  });
  app.use(onError);
  return app;
}
