import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
