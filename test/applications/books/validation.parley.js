import { Router } from 'express';
import { contract, rejected } from 'parley-contract-runtime';
import { addBook, deleteBook, getBook, isToken, listBooks } from './books.js';
import { contract as compiled } from './generated/contract.js';

/** @type {Pick<import('parley-contract-runtime').Handlers<import('./generated/operations').OperationTypes, typeof import('./generated/operations').operations>, 'getBook' | 'listBooks'>} */
const handlers = {
  listBooks: async ({ query }) => ({ status: 200, body: listBooks(query.year ?? 0) }),
  getBook: async ({ path }) => {
    const book = getBook(path.id);
    return book ? { status: 200, body: book } : { status: 404, body: { message: 'There is no such book.' } };
  },
};

export const validation = Router();
validation.use(
  contract(compiled, {
    handlers,
    unhandled: 'next',
    authenticate: async ({ headers }) => {
      if (!isToken(headers.authorization)) throw rejected('tokenUnknown');
      return { scopes: new Set(), headers: {} };
    },
  }),
);
validation.post('/books', (req, res) => res.status(201).json(addBook(req.body)));
validation.delete('/books/:id', (req, res) => {
  deleteBook(req.contract.path.id);
  res.status(204).end();
});
