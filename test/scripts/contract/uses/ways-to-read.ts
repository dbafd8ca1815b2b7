/** Each program gets a book from the API, and reads its title in another way. */
export const waysToRead: readonly (readonly [name: string, code: string])[] = [
  ['property access', `const book = await getBook(); use(book.title);`],
  [
    'optional chaining',
    `const { data } = await client.GET('/books/{isbn}', { params: { path: { isbn: '1' } } }); use(data?.title);`,
  ],
  [
    'non-null assertion',
    `const { data } = await client.GET('/books/{isbn}', { params: { path: { isbn: '1' } } }); use(data!.title);`,
  ],
  ['literal key', `const book = await getBook(); use(book['title']);`],
  ['constant key', `const key = 'title'; const book = await getBook(); use(book[key]);`],
  ['key of a union', `declare const key: 'title' | 'format'; const book = await getBook(); use(book[key]);`],
  ['key of all properties', `declare const key: keyof Book; const book = await getBook(); use(book[key]);`],
  [
    'list of keys',
    `const keys = ['title', 'format'] as const; const book = await getBook(); use(keys.map((key) => book[key]));`,
  ],
  ['destructuring', `const { title } = await getBook(); use(title);`],
  ['destructuring with another name', `const { title: name } = await getBook(); use(name);`],
  ['destructuring with a default', `const { title = 'none' } = await getBook(); use(title);`],
  ['destructuring with a string', `const { 'title': name } = await getBook(); use(name);`],
  [
    'destructuring with a computed key',
    `const key = 'title'; const { [key]: name } = await getBook(); use(name);`,
  ],
  [
    'nested destructuring',
    `const { data: { title } = { title: '' } } = await client.GET('/books/{isbn}', { params: { path: { isbn: '1' } } }); use(title);`,
  ],
  ['destructuring of a rest', `const { isbn, ...rest } = await getBook(); use(isbn); use(rest.title);`],
  ['destructuring assignment', `let title: string | undefined; ({ title } = await getBook()); use(title);`],
  ['destructured parameter', `const show = ({ title }: Book) => use(title); show(await getBook());`],
  ['destructuring in a loop', `for (const { title } of await listBooks()) use(title);`],
  ['alias', `const book = await getBook(); const same = book; use(same.title);`],
  ['type alias', `type Item = Book; const item: Item = await getBook(); use(item.title);`],
  [
    'interface that extends',
    `interface Item extends Book { extra?: string } const item: Item = await getBook(); use(item.title);`,
  ],
  ['Pick', `const named: Pick<Book, 'title'> = await getBook(); use(named.title);`],
  ['Omit', `const rest: Omit<Book, 'isbn'> = await getBook(); use(rest.title);`],
  ['Partial', `const part: Partial<Book> = await getBook(); use(part.title);`],
  ['Required', `const whole = (await getBook()) as Required<Book>; use(whole.title);`],
  ['Readonly', `const fixed: Readonly<Book> = await getBook(); use(fixed.title);`],
  [
    'Awaited',
    `type Got = Awaited<ReturnType<typeof getBook>>; const got: Got = await getBook(); use(got.title);`,
  ],
  ['NonNullable', `const got: NonNullable<Book | undefined> = await getBook(); use(got.title);`],
  ['indexed access type', `const title: Book['title'] = (await getBook()).title; use(title);`],
  [
    'mapped type',
    `type Copy<T> = { [K in keyof T]: T[K] }; const copy: Copy<Book> = await getBook(); use(copy.title);`,
  ],
  ['spread', `const copy = { ...(await getBook()), more: 1 }; use(copy.title);`],
  ['spread of two', `const copy = { ...(await getBook()), ...{ more: 1 } }; use(copy['title']);`],
  ['Object.assign', `const copy = Object.assign({}, await getBook()); use(copy.title);`],
  ['structuredClone', `const copy = structuredClone(await getBook()); use(copy.title);`],
  ['map', `use((await listBooks()).map((book) => book.title));`],
  ['map with destructuring', `use((await listBooks()).map(({ title }) => title));`],
  ['filter', `use((await listBooks()).filter((book) => book.title !== undefined).length);`],
  ['find', `use((await listBooks()).find((book) => book.title === 'x')?.isbn);`],
  ['sort', `use((await listBooks()).sort((a, b) => String(a.title).localeCompare(String(b.title))).length);`],
  ['reduce', `use((await listBooks()).reduce((sum, book) => sum + (book.title?.length ?? 0), 0));`],
  ['flatMap', `use((await listBooks()).flatMap(({ title }) => (title ? [title] : [])));`],
  ['element of a list', `const [first] = await listBooks(); use(first?.title);`],
  [
    'callback of its own type',
    `const show = (item: { title?: string }) => use(item.title); (await listBooks()).forEach(show);`,
  ],
  [
    'Map',
    `const all = new Map((await listBooks()).map((book) => [book.isbn, book])); use(all.get('1')?.title);`,
  ],
  [
    'Object.groupBy',
    `const groups = Object.groupBy(await listBooks(), ({ isbn }) => String(isbn)); use(groups['1']?.[0]?.title);`,
  ],
  ['then', `getBook().then((book) => use(book.title));`],
  ['Promise.all', `const [book] = await Promise.all([getBook(), 1]); use(book.title);`],
  [
    'generic function',
    `const first = <T>(list: T[]): T | undefined => list[0]; use(first(await listBooks())?.title);`,
  ],
  [
    'generic function with a key',
    `const get = <T, K extends keyof T>(from: T, key: K): T[K] => from[key]; use(get(await getBook(), 'title'));`,
  ],
  [
    'generic function with a constraint',
    `const titleOf = <T extends { title?: string }>(item: T) => item.title; use(titleOf(await getBook()));`,
  ],
  [
    'generic class',
    `class Box<T> { constructor(readonly value: T) {} } use(new Box(await getBook()).value.title);`,
  ],
  [
    'generic class that serializes',
    `class Store<T> { save(value: T) { use(JSON.stringify(value)); } } new Store<Book>().save(await getBook());`,
  ],
  [
    'chain of generic functions',
    `const text = <U>(value: U) => JSON.stringify(value); const log = <T>(value: T) => use(text(value)); log(await getBook());`,
  ],
  [
    'generic function that gets a function',
    `const log = async <T>(get: () => Promise<T>) => use(JSON.stringify(await get())); await log(getBook);`,
  ],
  [
    'generic function that gets an object with a function',
    `const log = async <T>(options: { get: () => Promise<T> }) => use(JSON.stringify(await options.get())); await log({ get: () => getBook() });`,
  ],
  ['closure', `const book = await getBook(); const later = () => book.title; use(later());`],
  [
    'class field',
    `class View { book: Book | undefined; async load() { this.book = await getBook(); } show() { use(this.book?.title); } } new View().show();`,
  ],
  [
    'private class field',
    `class View { #book?: Book; async load() { this.#book = await getBook(); use(this.#book.title); } } await new View().load();`,
  ],
  [
    'getter',
    `class View { constructor(private book: Book) {} get name() { return this.book.title; } } use(new View(await getBook()).name);`,
  ],
  [
    'type of its own',
    `interface Named { title?: string } const named: Named = await getBook(); use(named.title);`,
  ],
  [
    'type of its own as a parameter',
    `function show(item: { title?: string }) { use(item.title); } show(await getBook());`,
  ],
  [
    'type of its own as a result',
    `interface Named { title?: string } const load = async (): Promise<Named> => getBook(); use((await load()).title);`,
  ],
  [
    'type of its own in a list',
    `interface Named { title?: string } const all: Named[] = await listBooks(); use(all[0]?.title);`,
  ],
  ['in operator', `const book = await getBook(); if ('title' in book) use(1);`],
  [
    'in operator with an unknown key',
    `declare const key: string; const book = await getBook(); if (key in book) use(1);`,
  ],
  [
    'unknown key',
    `declare const key: string; const book = await getBook(); use((book as Record<string, unknown>)[key]);`,
  ],
  ['assignment to any', `const book: any = await getBook(); use(book.title);`],
  ['assignment to unknown', `const book: unknown = await getBook(); use((book as { title: string }).title);`],
  ['cast to any', `use(((await getBook()) as any).title);`],
  ['double cast', `use(((await getBook()) as unknown as { title: string }).title);`],
  ['parameter of type any', `function show(item: any) { use(item.title); } show(await getBook());`],
  [
    'parameter of type object',
    `function show(item: object) { use(Object.values(item)); } show(await getBook());`,
  ],
  ['list of any', `const all: any[] = [...(await listBooks())]; use(all[0].title);`],
  ['JSON.stringify', `use(JSON.stringify(await getBook()));`],
  ['console.log', `console.log(await getBook());`],
  ['Object.entries', `use(Object.entries(await getBook()));`],
  ['Object.keys', `use(Object.keys(await getBook()));`],
  ['for in', `const book = await getBook(); for (const key in book) use(key);`],
  ['Record type', `const record: Record<string, unknown> = { ...(await getBook()) }; use(record.title);`],
  [
    'type guard',
    `const isNamed = (item: unknown): item is { title: string } => typeof item === 'object'; const book = await getBook(); if (isNamed(book)) use(book.title);`,
  ],
  [
    'union of responses',
    `const { data, error } = await client.GET('/books/{isbn}', { params: { path: { isbn: '1' } } }); use(error ?? data.title);`,
  ],
  [
    'conditional expression',
    `const book = await getBook(); use((Math.random() > 0.5 ? book : undefined)?.title);`,
  ],
  ['logical expression', `const book = await getBook(); use((book || undefined).title);`],
  ['part of a template', `const book = await getBook(); use(\`Title: \${book.title}\`);`],
  ['switch on the property', `const book = await getBook(); switch (book.title) { case 'x': use(1); }`],
  [
    'generator',
    `async function* all() { yield* await listBooks(); } for await (const book of all()) use(book.title);`,
  ],
  [
    'async iterator of its own type',
    `async function* all(): AsyncGenerator<{ title?: string }> { yield await getBook(); } for await (const book of all()) use(book.title);`,
  ],
  ['default parameter', `async function show(book = getBook()) { use((await book).title); } await show();`],
  ['satisfies', `const book = (await getBook()) satisfies { title?: string }; use(book.title);`],
  ['increment of a property', `const book = await getBook(); book.title += '!';`],
  ['export of a value', `export const book = await getBook();`],
  ['export of a function', `export const load = () => getBook();`],
  ['export as default', `export default async function load() { return { book: await getBook() }; }`],
  ['throw', `throw await getBook();`],
  [
    'WeakMap',
    `const known = new WeakMap<Book, string>(); const book = await getBook(); known.set(book, 'x'); use(book.title);`,
  ],
  ['bound method', `const show = function (this: Book) { use(this.title); }; show.call(await getBook());`],
  ['apply with any arguments', `const show = (...items: any[]) => use(items); show(await getBook());`],
  [
    'select of a query',
    `declare function useQuery<T, R>(options: { queryFn: () => Promise<T>; select: (data: T) => R }): R; use(useQuery({ queryFn: getBook, select: (data) => data.title }));`,
  ],
  [
    'fetch with a path',
    `const book = await (await fetch('https://example.com/books/1')).json(); use(book.title);`,
  ],
  [
    'fetch with a path of parts',
    `const isbn = '1'; const book = await (await fetch(\`\${process.env.BASE}/books/\${isbn}\`)).json(); use(book.title);`,
  ],
  [
    'fetch with a sum',
    `const book = await (await fetch('/books/' + encodeURIComponent('1'))).json(); use(book.title);`,
  ],
  [
    'generic base class with a constraint',
    `abstract class Resource<T extends { title?: string }> { abstract all(): Promise<T[]>; async show() { for (const item of await this.all()) use(item.title); } } class Books extends Resource<Book> { all() { return listBooks(); } } await new Books().show();`,
  ],
  [
    'generic base class that loses a value',
    `abstract class Resource<T> { abstract all(): Promise<T[]>; async show() { use(JSON.stringify(await this.all())); } } class Books extends Resource<Book> { all() { return listBooks(); } } await new Books().show();`,
  ],
  [
    'generic interface with a constraint',
    `interface Resource<T extends { title?: string }> { all(): Promise<T[]> } const books: Resource<Book> = { all: listBooks }; use(books);`,
  ],
  [
    'default of a type parameter',
    `abstract class Resource<T extends { title?: string } = Book> { abstract all(): Promise<T[]>; } class Books extends Resource { all() { return listBooks(); } } use(new Books());`,
  ],
  [
    'type argument of a call',
    `async function show<T extends { title?: string }>(load: () => Promise<any>) { const item: T = await load(); use(item.title); } await show<Book>(() => fetch('x'));`,
  ],
  [
    'cast to never',
    `const show = (item: { title?: string }) => use(item.title); show((await getBook()) as never);`,
  ],
  ['spread that is cast to never', `const copy = { more: 1, ...((await getBook()) as never) }; use(copy);`],
  [
    'type of a property',
    `const labels: Record<NonNullable<Book['title']>, string> = { x: 'X' }; use(labels.x);`,
  ],
  [
    'names of all properties',
    `const labels: Record<keyof Book, string> | undefined = undefined; use(labels);`,
  ],
];

/** Programs that get a book, but do not read its title. */
export const waysNotToRead: readonly (readonly [name: string, code: string])[] = [
  ['property access', `const book = await getBook(); use(book.isbn);`],
  ['destructuring', `const { isbn, ...rest } = await getBook(); use(isbn);`],
  ['Pick', `const named: Pick<Book, 'isbn'> = await getBook(); use(named.isbn);`],
  [
    'generic function',
    `const first = <T>(list: T[]): T | undefined => list[0]; use(first(await listBooks())?.isbn);`,
  ],
  [
    'generic class',
    `class Box<T> { constructor(readonly value: T) {} } use(new Box(await getBook()).value.isbn);`,
  ],
  [
    'callback of its own type',
    `const show = (item: { isbn?: string }) => use(item.isbn); (await listBooks()).forEach(show);`,
  ],
  ['map', `use((await listBooks()).map((book) => book.isbn));`],
  [
    'Map',
    `const all = new Map((await listBooks()).map((book) => [book.isbn, book])); use(all.get('1')?.isbn);`,
  ],
  [
    'type of its own',
    `interface Numbered { isbn?: string } const all: Numbered[] = await listBooks(); use(all[0]?.isbn);`,
  ],
  ['Promise.all', `const [book] = await Promise.all([getBook(), listBooks()]); use(book.isbn);`],
  [
    'class field',
    `class View { book: Book | undefined; async load() { this.book = await getBook(); } show() { use(this.book?.isbn); } } new View().show();`,
  ],
  [
    'an object of another property',
    `const book = await getBook(); use(JSON.stringify({ isbn: book.isbn }));`,
  ],
  ['spread', `const copy = { ...(await getBook()), more: 1 }; use(copy.isbn);`],
  [
    'list of keys',
    `const keys = ['isbn', 'format'] as const; const book = await getBook(); use(keys.map((key) => book[key]));`,
  ],
  [
    'select of a query',
    `declare function useQuery<T, R>(options: { queryFn: () => Promise<T>; select: (data: T) => R }): R; use(useQuery({ queryFn: getBook, select: (data) => data.isbn }));`,
  ],
  [
    'generic base class with a constraint',
    `abstract class Resource<T extends { isbn?: string }> { abstract all(): Promise<T[]>; async show() { for (const item of await this.all()) use(item.isbn); } } class Books extends Resource<Book> { all() { return listBooks(); } } await new Books().show();`,
  ],
  ['type of a property', `type Isbn = Book['isbn']; const isbn: Isbn = '1'; use(isbn);`],
  ['type argument', `const all = new Set<Book>(await listBooks()); for (const { isbn } of all) use(isbn);`],
  ['empty list', `const all: Book[] = []; use(all.length);`],
  [
    'call that does not return',
    `const fail = (): never => { throw new Error('no book'); }; const find = (list: Book[]): Book => list[0] ?? fail(); use(find(await listBooks()).isbn);`,
  ],
];
