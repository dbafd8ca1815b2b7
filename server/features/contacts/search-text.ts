/** How contacts are found (D21): one function folds what is searched and what is asked for. */

// Letters that decomposing does not turn into plain ones.
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

/** Without case, accents and invisible characters; blanks of any kind become one. */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}\p{Noncharacter_Code_Point}]+/gu, '')
      .replace(toSpellOut, (letter) => spelledOut[letter] ?? letter)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      // The letters of a Hangul syllable are one character again.
      .normalize('NFC')
  );
}

// Stands before the beginning of a word, twice, so that one character and it are three: the least that the
// index can find. Folded text holds no control characters.
const mark = '\u0001';

// Behind a blank anything begins a word; elsewhere a letter or digit behind something that is neither.
const beginnings = /(?<=^|\s)\S|(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;

// One character can fold to eighteen (U+FDFA), and the index takes a second for some millions of them (D58).
const maxSearched = 65_536;

/**
 * What a contact is found by: its folded texts, then the first two characters of every word.
 * @param texts names, addresses, values
 */
export function searchTextOf(texts: readonly (string | null)[]): string {
  const whole = foldText(texts.filter(Boolean).join(' '));
  const text = whole.length > maxSearched ? whole.slice(0, maxSearched).toWellFormed() : whole;
  const begun = new Set<string>();
  for (const { index } of text.matchAll(beginnings)) {
    const [first = '', second = ''] = text.slice(index, index + 4);
    begun.add(first + second.trim());
  }
  return `${text}\n${[...begun].map((beginning) => mark + mark + beginning).join('')}`;
}

/**
 * What has to stand in a search text: all parts of one of the alternatives.
 * @param query what somebody looks for
 */
export function parseSearchQuery(query: string): string[][] {
  const text = foldText(query);
  if (text === '') return [];
  const words = text.split(' ');
  // However its digits are grouped, a telephone number is stored without blanks and punctuation.
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

// A run of words that hold digits and the punctuation of telephone numbers alone, dashes of any kind among it.
const groupedNumber = /(?<=^| )(?=[^ ]*\d)[\d()+./\p{Pd}]+(?: [\d()+./\p{Pd}]+)*(?= |$)/gu;

/** Three characters stand anywhere, fewer at the beginning of a word. */
function partOf(word: string): string {
  const [, second, third] = word;
  if (third !== undefined) return word;
  return second === undefined ? mark + mark + word : mark + word;
}
