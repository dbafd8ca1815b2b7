import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  foldText,
  parseSearchQuery,
  searchTextOf,
} from '../../../../server/features/contacts/search-text.ts';
import { fieldTypes } from '../../../../server/own-contract/constants.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { emptyContact, startService } from '../../../support/service.ts';

test.each([
  ['Jürgen WEISS', 'jurgen weiss'],
  ['Weiß', 'weiss'],
  ['STRAẞE', 'strasse'],
  ['Łukasz Ørsted', 'lukasz orsted'],
  ['Æthelred þing', 'aethelred thing'],
  ['Đặng ħ œuvre', 'dang h oeuvre'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ['Οδυσσεύς', 'οδυσσευσ'],
  ['İstanbul ısı', 'istanbul isi'],
  ['ﬁne ①②', 'fine 12'],
  ['ガ', 'カ'],
  ['a\u00a0\u2003b\t\nc', 'a b c'],
  ['so\u00adft\u200d', 'soft'],
  ['\u0001\u0002x\u0000', 'x'],
])('%j is folded to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('folding is idempotent for every character up to U+1FFFF', () => {
  for (let point = 0; point <= 0x1ffff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const folded = foldText(`a${String.fromCodePoint(point)}b`);
    if (foldText(folded) !== folded)
      expect.fail(`U+${point.toString(16)}: ${folded} becomes ${foldText(folded)}`);
    if (/[\p{M}\p{Cc}\p{Cf}A-Z]/u.test(folded)) expect.fail(`U+${point.toString(16)} leaves ${folded}`);
  }
});

test('ignores case in Latin, Greek and Cyrillic', () => {
  for (let point = 0x41; point <= 0x52f; point += 1) {
    const letter = String.fromCodePoint(point);
    // U+0345, a combining iota, is a mark, which folding removes. Its upper case is a letter, which folding keeps.
    if (letter === '\u0345') continue;
    expect(foldText(letter.toUpperCase()), letter).toBe(foldText(letter.toLowerCase()));
  }
});

const isFound = (text: string, query: string): boolean =>
  parseSearchQuery(query).some((parts) => parts.every((part) => searchTextOf([text]).includes(part)));

test.each([
  ['Ada Lindqvist', 'indq', true],
  ['Ada Lindqvist', 'in', false],
  ['Ada Lindqvist', 'LIND ada', true],
  ['Jean-Luc', 'lu', true],
  ["O'Brien", 'br', true],
  ['ada.l@example.com', 'ex', true],
  ['ada.l@example.com', 'a.l@e', true],
  ['C# and F#', 'c#', true],
  ['C# and F#', '#', false],
  ['+46701234567', '+46 70 123 45 67', true],
  ['+46701234567', '70-123', true],
  ['+46701234567', '46', true],
  ['+46701234567', '+4', true],
  ['+46701234567', '(46) 701', true],
  ['+46701234567', '70 99', false],
  ['2024-05-17', '2024-05-17', true],
  ['Ada +46701234567', 'ada +46 70 123 45 67', true],
  ['Ada +46701234567', '+46–70–123 ada', true],
  ['Ada +46701234567', '+46 (0)70 123', true],
  ['€5 shop', '€5', true],
  ['€5 shop', '€', true],
  ['John  Smith', 'john  smith', true],
  ['김철수', '철', false],
  ['김철수', '김철', true],
  ['Order 12 34', '12 34', true],
  ['김철수', '김', true],
  ['田中', '田', true],
])('in %j a search for %j finds: %j', (text, query, found) => {
  expect(isFound(text, query)).toBe(found);
});

test('finds a word of three or more characters anywhere, a shorter one at the start of a word', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcxyzßøÄ9'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), word, (words, wanted) => {
      const folded = words.map(foldText);
      const long = Array.from(foldText(wanted)).length >= 3;
      const expected = folded.some((each) =>
        long ? each.includes(foldText(wanted)) : each.startsWith(foldText(wanted)),
      );
      expect(isFound(words.join(' '), wanted)).toBe(expected);
    }),
    { numRuns: sampleCount(2_000), seed },
  );
});

test('searches only the first 65,536 characters of a folded text', () => {
  const text = searchTextOf(['Ada', `${'\ufdfa'.repeat(20_000)} lindqvist`]);
  expect(text.length).toBeLessThan(65_536 + 1_000);
  expect(text.startsWith('ada ')).toBe(true);
  expect(text).not.toContain('lindqvist');
  expect(searchTextOf([`${'x'.repeat(65_535)}\u{1F600}`]).isWellFormed()).toBe(true);
});

test('folds no text after those that are searched', () => {
  const texts = ['x'.repeat(65_536), ''];
  Object.defineProperty(texts, 1, {
    get() {
      throw new Error('The second text is read.');
    },
  });
  expect(searchTextOf(texts)).toContain('xxx');
});

test('searches for a query literally if normalization leaves no digits', () => {
  expect(parseSearchQuery('(0)')).toEqual([['(0)']]);
});

const values: Record<string, string> = {
  short_text: 'A-1017',
  text: 'Met at the fair.',
  numbers: '12',
  phone: '+46701234567',
  email: 'ada@example.com',
  currency: '12.50 EUR',
  date: '2026-03-01',
};

test('returns complete contacts in every status, with values of every field type', async () => {
  const { api, company } = await startService();
  const fields: { id: number; value: string }[] = [];
  for (const type of fieldTypes) {
    const { id } = await company.field({ type: type as 'text' });
    fields.push({ id, value: values[type] ?? expect.fail(type) });
  }
  const statuses = ['offline', 'online', 'minimized', 'disconnected'];
  for (const status of statuses) {
    const id = await company.contact({ first_name: 'Ada', fields });
    await api.updateContact(id, { ...emptyContact, first_name: 'Ada', status, fields });
  }
  const { body } = await api.searchContacts('ada');
  expect(body.map((contact: { status: string }) => contact.status)).toEqual(statuses);
  expect((await api.listContacts()).body).toEqual(body);
  const shown = (contact: { fields: { type: string; value: string }[] }) =>
    contact.fields.map(({ type, value }) => [type, value]);
  for (const contact of body) expect(shown(contact)).toEqual(fieldTypes.map((type) => [type, values[type]]));
});
