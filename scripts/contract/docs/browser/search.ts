import MiniSearch, { type Query, type SearchResult } from 'minisearch';
import type { SearchEntry } from './globals.ts';

const maxResults = 12;
/** How much more an entry counts that has all words of the query. */
const forAllWords = 3;
/** How much more an entry counts whose name is the query, or a page or an error code that begins with it. */
const forTitle = 3;

// Groups of synonyms, because readers may search for words that the portal does not use.
const synonyms = `
  pagination paging pages scrolling | sdk client library axios | cors origin origins | locking etag |
  upload avatar picture image | gdpr privacy personal | throttling throttle rate 429 |
  login auth authentication authenticate oauth bearer apikey | hmac signature signatures |
  backoff retries retry resend | sandbox mock | phone telephone | testing test locally |
  removal sunset deprecation | versioning versions | node nodejs npm install |
  websocket websockets realtime live sse polling poll refetchinterval webhooks |
  dedupe deduplication duplicates twice once idempotency idempotent |
  ngrok tunnel localhost locally | delete erase erasure | curl quickstart
`
  .split('|')
  .map((group) => group.trim().split(' '));

const stopWords = new Set(
  'a an and are as can do does for how i in is my of on the to what when with'.split(' '),
);

const words = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** Splits a text into words. `createContact` yields its parts as well as the whole. */
const tokensOf = (text: string): string[] =>
  words(text).flatMap((word) => {
    const parts = word.replaceAll(/([a-z])([A-Z])/g, '$1 $2').split(' ');
    return parts.length > 1 ? [word, ...parts] : parts;
  });

/** Returns a word in lower case and without the s of a plural. */
const singular = (word: string): string => word.toLowerCase().replace(/(?<=\w{3})(?<!s)s$/, '');

/** Creates the search over the portal's content, best first. The search runs in the browser. */
export function createSearch(entries: SearchEntry[]): (query: string) => SearchEntry[] {
  const index = new MiniSearch<SearchEntry & { id: number; words: string }>({
    fields: ['title', 'location', 'words'],
    tokenize: tokensOf,
    processTerm: singular,
    searchOptions: {
      tokenize: words,
      boost: { title: 6, location: 3 },
      // Rank whole pages and operations before sections.
      boostDocument(id) {
        const { href = '', weight = 1 } = entries[Number(id)] ?? {};
        return weight * (href.endsWith('.html') ? 1.5 : 1);
      },
      prefix: true,
      // Short words and words with digits, such as error codes, get no typo tolerance.
      fuzzy: (word) => (word.length > 4 && !/\d/.test(word) ? 0.2 : false),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id, words: `${entry.text} ${entry.rest ?? ''}` })));
  return (query) => {
    const queries = words(query)
      .filter((word) => !stopWords.has(word.toLowerCase()))
      .map(alternatives);
    const whole = new Set(index.search({ combineWith: 'AND', queries }).map(({ id }) => id));
    const asked = query.trim().toLowerCase();
    const rankOf = ({ id, score }: SearchResult) => {
      const { title = '', location = '' } = entries[Number(id)] ?? {};
      const name = title.toLowerCase();
      const isPrefix = name.startsWith(asked) && (location === '' || /^\d+$/.test(asked));
      const isAbout = name === asked || isPrefix;
      return score * (whole.has(id) ? forAllWords : 1) * (isAbout ? forTitle : 1);
    };
    const found = index
      .search({ combineWith: 'OR', queries })
      .sort((one, other) => rankOf(other) - rankOf(one))
      .slice(0, maxResults)
      .flatMap(({ id, terms }) => {
        const entry = entries[Number(id)];
        return entry ? [{ ...entry, terms: terms.join(' ') }] : [];
      })
      // After the best results, synonyms and similar words would only distract.
      .filter(({ title, text }, at) => at < bestResults || snippetOf(`${title} ${text}`, query).word !== '');
    const places = entries
      .filter(({ title }) => title.toLowerCase() === asked)
      .flatMap(({ pages = [], ...entry }) =>
        pages.map(([location, href]) => ({ ...entry, location, href, group: `Pages with ${entry.title}` })),
      )
      .filter(({ href }) => !found.some((each) => each.href === href));
    return [
      ...found.slice(0, bestResults),
      ...places,
      ...found.slice(bestResults).sort((one, other) => other.weight - one.weight),
    ];
  };
}

/** The number of results that stand above all groups. */
const bestResults = 3;

/** Returns the results under headings: the best ones first, then the others by group. */
export const groupResults = (found: readonly SearchEntry[]): [heading: string, entries: SearchEntry[]][] => [
  ...Map.groupBy(found, ({ group }, at) => (at < bestResults ? 'Best results' : group)),
];

/** Returns pages for readers who have not typed anything. */
export const popularPages = (entries: readonly SearchEntry[]): SearchEntry[] =>
  entries.filter(({ location, weight }) => location === '' && weight === 1).slice(0, 8);

function alternatives(word: string): Query {
  const group = synonyms.find((each) => each.includes(word.toLowerCase())) ?? [];
  const others = group.filter((each) => each !== word.toLowerCase());
  return { combineWith: 'OR', queries: [word, { queries: others, boost: { title: 3, location: 1 } }] };
}

/** The sentence of a text that has most words of the query. */
interface Snippet {
  before: string;
  /** The first word that begins with a word of the query; an empty string without one. */
  word: string;
  after: string;
}

/** Returns the sentence of a text that has most words of a query, or its first sentence. */
export function snippetOf(text: string, query: string): Snippet {
  const wanted = words(query.toLowerCase()).filter((word) => !stopWords.has(word));
  // Sections have a line per paragraph.
  const sentences = text.split(/(?<=[.!?]) |\n/).map((sentence) => {
    const found = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) =>
      wanted.some((each) => word.toLowerCase().startsWith(each)),
    );
    return { sentence, first: found[0], count: new Set(found.map(([word]) => word.toLowerCase())).size };
  });
  const { sentence, first } = sentences.reduce((best, each) => (each.count > best.count ? each : best));
  const [at, word] = [first?.index ?? 0, first?.[0] ?? ''];
  return { before: sentence.slice(0, at), word, after: sentence.slice(at + word.length) };
}
