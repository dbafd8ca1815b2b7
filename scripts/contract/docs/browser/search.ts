import MiniSearch, { type SearchResult } from 'minisearch';
import type { SearchEntry } from './globals.ts';

const most = 12;

/** Creates the search over the portal's content, which runs in the page. */
export function createSearch(entries: SearchEntry[]): (query: string) => SearchEntry[] {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'place', 'text'],
    storeFields: ['title', 'place', 'text', 'href'],
    // Splits `createContact` and `/api/v1/contacts` into their parts.
    tokenize: (text) =>
      text
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== ''),
    searchOptions: {
      boost: { title: 4, location: 2 },
      prefix: true,
      // Codes must match exactly.
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
