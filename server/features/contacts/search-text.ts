import { normalizeText } from '../../lib/normalize-text.ts';

/** Search texts of contacts (D21). The same function folds the texts and the query. */

// Letters that Unicode decomposition does not reduce to base letters.
const spelledOut: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ı: 'i',
  ĸ: 'k',
  ς: 'σ',
};
const toSpellOut = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'g');
const plain = /^[\x20-\x7e]*$/;

/** Removes case, accents and invisible characters, and turns all white space into single spaces. */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  const folded = normalizeText(normalizeText(text, 'NFKD').toLowerCase(), 'NFKD')
    .replace(/[\p{M}\p{Cf}\p{Noncharacter_Code_Point}]+/gu, '')
    .replace(toSpellOut, (letter) => spelledOut[letter] ?? letter)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  // Recomposes Hangul syllables.
  return normalizeText(folded, 'NFC');
}

// Marks the beginning of a word. Two marks precede its first characters, so that even one character makes a trigram,
// the shortest entry of the index. Folded texts contain no control characters, so the mark cannot occur in them.
const mark = '\u0001';

// A word begins at any character after white space, and elsewhere at a letter or digit after a character that is
// neither.
const beginnings = /(?<=^|\s)\S|(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;

// Maximum length of the folded texts that are searched (D58). One character can fold to eighteen (U+FDFA), and indexing
// a few million characters takes 1 s.
const maxSearched = 65_536;

/**
 * Returns the search text of a contact: its folded texts, then the first two characters of every word.
 * @param texts names, addresses, values
 */
export function searchTextOf(texts: readonly (string | null)[]): string {
  const words: string[] = [];
  let length = 0;
  for (const each of texts) {
    const folded = foldText(each ?? '');
    if (folded === '') continue;
    words.push(folded);
    length += folded.length + 1;
    // U+FDFA becomes 18 characters, so folding the rest of 1 MB could take 2 s.
    if (length > maxSearched) break;
  }
  const folded = words.join(' ');
  const text = folded.length > maxSearched ? folded.slice(0, maxSearched).toWellFormed() : folded;
  const begun = new Set<string>();
  for (const { index } of text.matchAll(beginnings)) {
    const [first = '', second = ''] = text.slice(index, index + 4);
    begun.add(first + second.trim());
  }
  return `${text}\n${[...begun].map((beginning) => mark + mark + beginning).join('')}`;
}

/** Parses a search query into alternatives. A search text matches if it contains all parts of one alternative. */
export function parseSearchQuery(query: string): string[][] {
  const text = foldText(query);
  if (text === '') return [];
  const words = text.split(' ');
  // Telephone numbers are stored without spaces and punctuation, so groups of digits are joined.
  const joined = text
    .replace(groupedNumber, (number) => ` ${number.replace(/\(0\)|\D/g, '')} `)
    .trim()
    .split(/ +/)
    .filter(Boolean);
  const alternatives = [words, joined]
    .filter((parts) => parts.length > 0)
    .map((parts) => [...new Set(parts.map(partOf))]);
  return [...new Map(alternatives.map((parts) => [parts.join(' '), parts])).values()];
}

// Words that consist of digits and the punctuation of telephone numbers, including all kinds of dashes.
const groupedNumber = /(?<=^| )(?=[^ ]*\d)[\d()+./\p{Pd}]+(?: [\d()+./\p{Pd}]+)*(?= |$)/gu;

/** Returns the text to search for: three or more characters match anywhere, fewer only at the beginning of a word. */
function partOf(word: string): string {
  const [, second, third] = word;
  if (third !== undefined) return word;
  return second === undefined ? mark + mark + word : mark + word;
}
