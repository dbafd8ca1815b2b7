const books = new Map([
  [1, { id: 1, title: 'Emma', year: 1815 }],
  [2, { id: 2, title: 'Middlemarch', year: 1871 }],
  // Only the test of violations asks for books of this year.
  [3, { id: 3, title: '', year: 1999 }],
]);

/** Codex that is older than print; only the test of violations adds it. */
const codex = 'Codex';

export const isToken = (header) => header === 'Bearer token-of-ann';

export const listBooks = (year) =>
  [...books.values()].filter((book) => (year ? book.year === year : book.title));

/** Returns undefined if there is no such book. */
export const getBook = (id) => books.get(id);

export function addBook(given) {
  const book = { id: books.size + 1, ...given };
  books.set(book.id, book);
  return book.title === codex ? { ...book, year: 400 } : book;
}

export function deleteBook(id) {
  if (!books.delete(id)) throw Object.assign(new Error('There is no such book.'), { status: 404 });
}
