import type { StockViolation } from './stock-refusal.ts';

/** A reason for which the stock middleware refuses messages that the contract accepts. Ours decides on those. */
export interface KnownDefect {
  name: string;
  /** The issue of cdimascio/express-openapi-validator, if it has one. */
  issue?: number;
  what: string;
  explains: (violation: StockViolation) => boolean;
}

export const knownDefects: readonly KnownDefect[] = [
  {
    name: 'optional body',
    issue: 397,
    what: 'It demands the media type of a body that is optional and missing.',
    explains: ({ message }) => message === 'unsupported media type undefined',
  },
  {
    name: 'reserved characters',
    issue: 1087,
    what: 'It refuses characters in a query that RFC 3986 allows there unencoded.',
    explains: ({ message }) =>
      message.endsWith('must be url encoded. Its value may not contain reserved characters.'),
  },
  {
    name: 'empty query parameter',
    what: 'It refuses an empty value although the schema allows it.',
    explains: ({ message }) => message.startsWith('Empty value found for query parameter'),
  },
  {
    name: 'null response',
    what: 'It takes a response of JSON null for a missing one.',
    explains: ({ path, message }) => path === '/response' && message === 'response body required.',
  },
];

/** Returns the known defect that explains all violations of a message. */
export const defectOf = (violations: readonly StockViolation[]): KnownDefect | undefined =>
  knownDefects.find(({ explains }) => violations.length > 0 && violations.every((each) => explains(each)));
