import { data } from 'currency-codes';
import { isDate, isEmail } from '../../lib/formats.ts';
import { normalizeText } from '../../lib/normalize-text.ts';
import { wordingOf } from '../../lib/wording.ts';
import { maxEmailLength, maxValueLength } from '../../own-contract/constants.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { validateAgainstSchema } from '../../own-contract/validate.ts';

/** The value to store and the key for comparisons, or an error. */
export type Canonical = { value: string; key: string; wrong?: undefined } | { wrong: string };

/** Converts a value to the canonical form of its type (D07, D54). */
export function canonicalValue(type: Schemas['FieldType'], text: string): Canonical {
  if (type !== 'text' && text.length > maxShort) return { wrong: 'is too long' };
  return fieldTypeRules[type].canonical(text);
}

// Longer values are rejected before they are parsed. Only values of the type `text` may be longer.
const maxShort = 1_000;

/** What a type of custom fields accepts and stores. The guide on custom fields shows it. */
interface FieldTypeRule {
  accepts: string;
  storedAs: string;
  canonical: (text: string) => Canonical;
}

const maxLine = 255;
const maxDigits = 38;

export const fieldTypeRules: Record<Schemas['FieldType'], FieldTypeRule> = {
  short_text: {
    accepts: `up to ${maxLine} characters`,
    storedAs: 'the text in Unicode NFC',
    canonical: (given) => limited(normalizeText(given, 'NFC'), maxLine),
  },
  text: {
    accepts: `up to ${maxValueLength.toLocaleString('en')} characters`,
    storedAs: 'the text in Unicode NFC',
    canonical: (given) => limited(normalizeText(given, 'NFC'), maxValueLength),
  },
  numbers: {
    accepts: `a decimal number of up to ${maxDigits} digits, without an exponent`,
    storedAs: 'the number without leading zeros and trailing decimal zeros',
    canonical(given) {
      const value = canonicalDecimal(given.trim());
      return value === undefined
        ? { wrong: `must be a decimal number of up to ${maxDigits} digits` }
        : same(value);
    },
  },
  phone: {
    accepts: 'an international telephone number',
    storedAs: 'a plus sign and digits',
    canonical(given) {
      const value = given.replace(/[\s().-]/g, '');
      // A zero in parentheses, as in `+46 (0)70`, is not part of the international number. It is rejected here, because
      // it could not be recognized without the parentheses.
      return !given.includes('(0)') && validateAgainstSchema('TelephoneNumber', value).length === 0
        ? same(value)
        : { wrong: 'must be a phone number in international format, such as +46701234567' };
    },
  },
  email: {
    accepts: `an e-mail address of up to ${maxEmailLength} characters`,
    storedAs: 'the address without surrounding spaces; compared case-insensitively',
    canonical(given) {
      const value = given.trim();
      return isEmail(value)
        ? { value, key: value.toLowerCase() }
        : { wrong: wordingOf('format', { format: 'email' }) };
    },
  },
  currency: {
    accepts: 'an amount and an ISO 4217 code',
    storedAs: '`1250.00 EUR`, with the decimals of the currency',
    canonical: canonicalAmount,
  },
  date: {
    accepts: 'a calendar date',
    storedAs: '`2024-05-17`',
    canonical(given) {
      const value = given.trim();
      return isDate(value) ? same(value) : { wrong: wordingOf('format', { format: 'date' }) };
    },
  },
};

const same = (value: string): Canonical => ({ value, key: value });

function limited(value: string, most: number): Canonical {
  // Characters are code points, as in JSON Schema. A string has at least as many code units, so a short string
  // need not be split. A code point has at most two of them.
  const fits = value.length <= most || (value.length <= 2 * most && Array.from(value).length <= most);
  return fits ? same(value) : { wrong: wordingOf('maxLength', { limit: most }) };
}

function canonicalDecimal(text: string): string | undefined {
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/^0+(?=\d)/, '');
  const decimals = fraction.replace(/0+$/, '');
  if (digits.length + decimals.length > maxDigits) return undefined;
  const value = decimals ? `${digits}.${decimals}` : digits;
  return sign === '-' && value !== '0' ? `-${value}` : value;
}

function canonicalAmount(text: string): Canonical {
  const [, number = '', code = ''] = /^(\S+) +([A-Za-z]{3})$/.exec(text.trim()) ?? [];
  const currency = code.toUpperCase();
  const most = currencyDecimals(currency);
  const amount = canonicalDecimal(number);
  if (most === undefined || amount === undefined)
    return { wrong: 'must be an amount and an ISO 4217 code, such as 12.50 EUR' };
  const [whole, fraction = ''] = amount.split('.');
  if (fraction.length > most) return { wrong: `must have at most ${most} decimals, like ${currency}` };
  return same(`${most > 0 ? `${whole}.${fraction.padEnd(most, '0')}` : whole} ${currency}`);
}

/** Currencies newer than the package's list (ISO 4217 amendment 176: Caribbean guilder). */
const since = { XCG: 2 };

const decimals = new Map<string, number>([
  ...data.map(({ code, digits }): [string, number] => [code, digits]),
  ...Object.entries(since),
]);

/** Returns the number of decimals of a currency, or undefined if it does not exist. */
const currencyDecimals = (code: string): number | undefined => decimals.get(code);
