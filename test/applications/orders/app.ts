import cookieParser from 'cookie-parser';
import express, { type ErrorRequestHandler } from 'express';
import session from 'express-session';
import { validation } from './validation';

declare module 'express-session' {
  interface SessionData {
    user?: string;
  }
}

interface Order {
  id: number;
  status: 'open' | 'paid' | 'sent';
  total: number;
  note?: string;
}

interface Filter {
  status?: Order['status'];
  min?: number;
}

/** Tells clients which fields are wrong. */
const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  const fields = (error.errors ?? []).map(({ path = '' }) => path.split(/[./]/).pop());
  res.status(error.status ?? 500).json({ error: { message: error.message, fields } });
};

export function createApp() {
  const orders: Order[] = [
    { id: 1, status: 'open', total: 20 },
    { id: 2, status: 'paid', total: 5, note: 'Gift' },
    { id: 3, status: 'open', total: 7 },
  ];
  const app = express();
  app.use(express.json(), cookieParser());
  app.use(session({ name: 'sid', secret: 'not secret', resave: false, saveUninitialized: false }));
  app.get('/health', (_req, res) => res.send('ok'));
  app.use(validation());

  // Only the test sends this header.
  app.use((req, res, next) => {
    const what = req.get('X-Break');
    if (what === 'body') res.json({ id: 1, status: 'lost', total: 1 });
    else if (what === 'missing') res.json({ id: 1 });
    else next();
  });

  app.post('/v1/session', (req, res) => {
    req.session.user = req.body.user;
    res.status(204).end();
  });
  app.delete('/v1/session', (req, res, next) => {
    req.session.destroy((error) => (error ? next(error) : res.status(204).end()));
  });
  app.get('/v1/orders', (req, res) => {
    const { status, min = 0 } = (req.query.filter ?? {}) as Filter;
    const found = orders.filter((each) => (!status || each.status === status) && each.total >= min);
    res.json({ page: req.query.page, orders: found });
  });
  app.post('/v1/orders', (req, res) => {
    const order: Order = { id: orders.length + 1, status: 'open', ...req.body };
    orders.push(order);
    res.status(201).json(order);
  });
  app.get('/v1/orders/:id', (req, res) => {
    const order = orders.find(({ id }) => id === Number(req.params.id));
    if (!order) throw Object.assign(new Error('no such order'), { status: 404 });
    res.json(order);
  });
  app.use(onError);
  return app;
}
