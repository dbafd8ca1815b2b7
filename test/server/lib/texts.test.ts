import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { formats } from '../../../server/lib/formats.ts';
import { normalizeText } from '../../../server/lib/normalize-text.ts';
import { parseJson } from '../../../server/lib/parse-json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// The public reports and own-cases.yaml have single texts.
const ajv = new Ajv2020({ formats });
const validators = Object.fromEntries(
  Object.entries(formats).map(([format, check]) => [
    format,
    ajv.compile({ type: typeof check === 'object' ? 'number' : 'string', format }),
  ]),
);
const is = (format: keyof typeof formats) => validators[format] ?? (() => undefined);

test('accepts the output of Date.toISOString() as a date-time, and its date part as a date', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        expect(is('date-time')(date.toISOString())).toBe(true);
        expect(is('date')(date.toISOString().slice(0, 10))).toBe(true);
      },
    ),
  );
});

test('accepts a date if and only if it exists in the calendar', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (y, m, d) => {
        const text = `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
        const timestamp = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(timestamp.getTime()) && timestamp.toISOString().startsWith(text);
        expect(is('date')(text), text).toBe(exists);
        expect(is('date-time')(`${text}T12:00:00.5+23:59`), text).toBe(exists && text !== '0000-01-01');
      },
    ),
    { numRuns: 2_000 },
  );
});

test('accepts a generated e-mail address if it has at most 254 characters', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      expect(is('email')(address)).toBe(address.length <= 254);
    }),
  );
});

test.each(['NFC', 'NFKD'] as const)(
  'normalizes texts without long runs of combining marks as usual (%s)',
  (form) => {
    for (const text of [
      '',
      'e\u0301a\u0323\u0301',
      'ﬁ',
      '\u1112\u1161\u11ab',
      'a'.repeat(1_000),
      'e\u0301'.repeat(500),
    ])
      expect(normalizeText(text, form)).toBe(text.normalize(form));
  },
);

test('normalizes what surrounds a long run of combining marks', () => {
  const run = '\u0301'.repeat(500);
  expect(normalizeText(`e\u0301 ${run} u\u0308\u1112\u1161`, 'NFC')).toBe(`é ${run} ü하`);
});

// The limit itself is in validator-limits.test.ts.

test('ignores brackets inside texts', () => {
  const text = JSON.stringify({ '[["\\': '[{\\"'.repeat(2_000), b: ['\\', '['.repeat(2_000)] });
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('counts only brackets that are open', () => {
  expect(parseJson(`[${'[],{},'.repeat(2_000)}1]`)).toHaveLength(4_001);
});

/** An error as Node reports it. Tests may run as a user with every permission, which gets no such error. */
const systemError = (code: string, details: object) =>
  Object.assign(new Error(`${code}: raw`), { code, ...details });

test.each([
  ['EACCES', { syscall: 'open', path: '/a' }, '/a is not accessible to this user \\(permission denied\\).'],
  ['EROFS', { syscall: 'mkdir', path: '/a' }, '/a cannot be written: it is on a read-only file system.'],
  ['ENOSPC', { syscall: 'write' }, 'The path cannot be written: the disk is full.'],
  ['EACCES', { syscall: 'listen', address: '::', port: 80 }, 'This user may not listen on port 80.'],
])('describes %s with %j', (code, details, sentence) => {
  expect(errorMessage(systemError(code, details))).toMatch(new RegExp(`^${sentence} .+\\.$`));
});

test.each([
  ['ENOENT', { syscall: 'spawn python3', path: 'python3' }],
  ['ECONNREFUSED', { syscall: 'connect', address: '127.0.0.1', port: 1 }],
  ['EOTHER', { syscall: 'open', path: '/a' }],
])('keeps the message of %s with %j, which it does not know', (code, details) => {
  expect(errorMessage(systemError(code, details))).toBe(`${code}: raw`);
});

test('names the path of a file that does not exist, and of a folder in place of a file', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'missing');
  const failure = (path: string) => readFile(path).then(String, errorMessage);
  expect(await failure(file)).toBe(`${file} does not exist. Create it, or correct the path.`);
  expect(await writeFile(folder, '').then(String, errorMessage)).toBe(`${folder} is a folder. Name a file.`);
});
