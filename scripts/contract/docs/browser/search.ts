import MiniSearch, { type SearchResult } from 'minisearch';
import type { SearchEntry } from './globals.ts';

const most = 12;

/** The words of the portal, in the page: nobody is asked. */
export function createSearch(entries: SearchEntry[]): (query: string) => SearchEntry[] {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'place', 'text'],
    storeFields: ['title', 'place', 'text', 'href'],
    // `createContact` is found by both of its words, `/api/v1/contacts` by each of its parts.
    tokenize: (text) =>
      text
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== ''),
    searchOptions: {
      boost: { title: 4, location: 2 },
      prefix: true,
      // A code that is nearly the same is another one.
      fuzzy: (word) => (word.length > 4 && !/\d/.test(word) ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => index.search(query).slice(0, most).map(entryOf);
}

const entryOf = ({ title, place: location, text, href }: SearchResult): SearchEntry => ({
  title,
  location,
  text,
  href,
});
