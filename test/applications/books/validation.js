import { OpenAPIBackend } from 'openapi-backend';
import { addBook, deleteBook, getBook, isToken, listBooks } from './books.js';

const api = new OpenAPIBackend({
  definition: './openapi.yaml',
  ajvOpts: { coerceTypes: true },
  handlers: {
    listBooks: ({ request }, _req, res) => res.json(listBooks(Number(request.query.year ?? 0))),
    getBook: ({ request }, _req, res) => {
      const book = getBook(Number(request.params.id));
      res.status(book ? 200 : 404).json(book ?? { message: 'There is no such book.' });
    },
    addBook: ({ request }, _req, res) => res.status(201).json(addBook(request.requestBody)),
    deleteBook: ({ request }, _req, res) => {
      deleteBook(Number(request.params.id));
      res.status(204).end();
    },
    validationFail: ({ validation }, _req, res) =>
      res.status(400).json({ message: validation.errors.map(({ message }) => message).join(', ') }),
    notFound: (_context, _req, res) => res.status(404).json({ message: 'unknown path' }),
    methodNotAllowed: (_context, _req, res) => res.status(405).json({ message: 'unknown method' }),
    unauthorizedHandler: (_context, _req, res) => res.status(401).json({ message: 'log in' }),
  },
});
api.registerSecurityHandler('bearer', ({ request }) => isToken(request.headers.authorization));
await api.init();

export const validation = (req, res) => api.handleRequest(req, req, res);
