import MiniSearch, { type Query, type SearchResult } from 'minisearch';
import type { SearchEntry } from './globals.ts';

const maxResults = 12;

// Groups of synonyms, because readers may search for words that the portal does not use.
const synonyms = [
  ['pagination', 'paging', 'pages', 'scrolling'],
  ['sdk', 'client', 'library'],
  ['cors', 'origin', 'origins'],
  ['locking', 'etag'],
  ['upload', 'avatar', 'picture', 'image'],
  ['gdpr', 'privacy', 'personal'],
  ['throttling', 'throttle', 'rate'],
  ['login', 'authentication', 'authenticate', 'oauth'],
  ['hmac', 'signature', 'signatures'],
  ['backoff', 'retries', 'retry'],
  ['docker', 'container', 'containers'],
  ['sandbox', 'mock'],
  ['phone', 'telephone'],
  ['sqlite', 'embedded'],
  ['testing', 'test', 'locally'],
  ['removal', 'sunset', 'deprecation'],
];

const stopWords = new Set(
  'a an and are can do does for how i in is my of on the to what when with'.split(' '),
);

const words = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** Splits a text into words. `createContact` yields its parts as well as the whole. */
const tokensOf = (text: string): string[] =>
  words(text).flatMap((word) => {
    const parts = word.replaceAll(/([a-z])([A-Z])/g, '$1 $2').split(' ');
    return parts.length > 1 ? [word, ...parts] : parts;
  });

/** Creates the search over the portal's content. The search runs in the browser. */
export function createSearch(entries: SearchEntry[]): (query: string) => SearchEntry[] {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'location', 'text'],
    storeFields: ['title', 'location', 'text', 'href'],
    tokenize: tokensOf,
    searchOptions: {
      tokenize: words,
      boost: { title: 6, location: 2 },
      // Rank whole pages and operations before sections.
      boostDocument: (id) => (/^reference|html$/.test(entries[Number(id)]?.href ?? '') ? 1.5 : 1),
      prefix: true,
      // Short words and words with digits, such as error codes, get no typo tolerance.
      fuzzy: (word) => (word.length > 4 && !/\d/.test(word) ? 0.2 : false),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => {
    const queries = words(query)
      .filter((word) => !stopWords.has(word.toLowerCase()))
      .map(alternatives);
    const found = index.search({ combineWith: 'AND', queries });
    const others = found.length < 3 ? index.search({ combineWith: 'OR', queries }) : [];
    const ids = new Set(found.map(({ id }) => id));
    return [...found, ...others.filter(({ id }) => !ids.has(id))].slice(0, maxResults).map(entryOf);
  };
}

function alternatives(word: string): Query {
  const group = synonyms.find((each) => each.includes(word.toLowerCase())) ?? [];
  const others = group.filter((each) => each !== word.toLowerCase());
  return { combineWith: 'OR', queries: [word, { queries: others, boost: { title: 3, location: 1 } }] };
}

const entryOf = ({ title, location, text, href }: SearchResult): SearchEntry => ({
  title,
  location,
  text,
  href,
});
