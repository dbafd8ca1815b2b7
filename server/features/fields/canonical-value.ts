import { isDate, isEmail } from '../../lib/formats.ts';
import { normalizeText } from '../../lib/normalize-text.ts';
import { wordingOf } from '../../lib/wording.ts';
import { maxValueLength } from '../../own-contract/constants.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { validateAgainstSchema } from '../../own-contract/validate.ts';
import { currencyDecimals } from './currencies.ts';

/** The value to store and the key for comparisons, or an error. */
export type Canonical = { value: string; key: string; wrong?: undefined } | { wrong: string };

/** Converts a value to the canonical form of its type (D07, D54). */
export function canonicalValue(type: Schemas['FieldType'], text: string): Canonical {
  if (type !== 'text' && text.length > maxShort) return { wrong: 'is too long' };
  return forms[type](text);
}

// Longer values are rejected before they are parsed. Only values of the type `text` may be longer.
const maxShort = 1_000;

const forms: Record<Schemas['FieldType'], (text: string) => Canonical> = {
  text: (given) => limited(normalizeText(given, 'NFC'), maxValueLength),
  short_text: (given) => limited(normalizeText(given, 'NFC'), 255),
  numbers: (given) => {
    const value = canonicalDecimal(given.trim());
    return value === undefined ? { wrong: 'must be a decimal number of up to 38 digits' } : same(value);
  },
  phone: (given) => {
    const value = given.replace(/[\s().-]/g, '');
    // A zero in parentheses, as in `+46 (0)70`, is not part of the international number. It is rejected here, because
    // it could not be recognized without the parentheses.
    return !given.includes('(0)') && validateAgainstSchema('TelephoneNumber', value).length === 0
      ? same(value)
      : { wrong: 'must be a phone number in international format, such as +46701234567' };
  },
  email: (given) => {
    const value = given.trim();
    return isEmail(value)
      ? { value, key: value.toLowerCase() }
      : { wrong: wordingOf('format', { format: 'email' }) };
  },
  currency: canonicalAmount,
  date: (given) => {
    const value = given.trim();
    return isDate(value) ? same(value) : { wrong: wordingOf('format', { format: 'date' }) };
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
  if (digits.length + decimals.length > 38) return undefined;
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
