/** Normalization takes quadratic time in the number of consecutive combining marks, so longer runs are split. */
const maxMarks = 128;

// Includes the characters whose decomposition begins with a combining mark, and a vowel sign that is composed with itself.
const mark = '[\\p{M}\\u0E33\\u0EB3\\uFF9E\\uFF9F\\u{16D67}]';
const longRun = new RegExp(`${mark}{${maxMarks}}`, 'u');
const piece = new RegExp(`[^${mark.slice(1, -1)}]*${mark}{0,${maxMarks}}`, 'gu');

/**
 * Normalizes a text in linear time. Each 128 consecutive combining marks are normalized separately. No language uses more
 * than a few (UAX #15, section 13).
 */
export const normalizeText = (text: string, form: 'NFC' | 'NFKD'): string =>
  longRun.test(text) ? text.replace(piece, (part) => part.normalize(form)) : text.normalize(form);
