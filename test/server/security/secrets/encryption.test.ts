import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSecrets } from '../../../../server/security/secrets/encryption.ts';
import { parseKey, parseKeys, readKeyFile } from '../../../../server/security/secrets/encryption-keys.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const key = randomBytes(32);

test('a sealed secret is unreadable, and opens in the context it was sealed for', () => {
  const secrets = createSecrets(key);
  for (const text of ['', 'whsec_x', '\u{1F600}'.repeat(500)]) {
    const sealed = secrets.seal(text, 'company 7');
    expect(secrets.open(sealed, 'company 7')).toBe(text);
    if (text) expect(Buffer.from(sealed).includes(text)).toBe(false);
  }
});

test('sealing the same secret twice gives different bytes', () => {
  const secrets = createSecrets(key);
  const sealed = Array.from({ length: 50 }, () => Buffer.from(secrets.seal('x', 'p')).toString('hex'));
  expect(new Set(sealed).size).toBe(50);
});

test('a sealed secret does not open in another context, with another key, or after a change of any byte', () => {
  const secrets = createSecrets(key);
  const sealed = secrets.seal('secret', 'company 7');
  expect(() => secrets.open(sealed, 'company 8')).toThrow();
  expect(() => createSecrets(randomBytes(32)).open(sealed, 'company 7')).toThrow(
    'a key that is not configured',
  );
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => secrets.open(changed, 'company 7'), `byte ${index}`).toThrow();
  }
  expect(() => secrets.open(sealed.subarray(0, 10), 'company 7')).toThrow();
});

test('creates a key file once, readable by its owner only, and reads it afterwards', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'parley.db.key');
  const [made] = readKeyFile(file, { mayMake: true });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(readKeyFile(file, { mayMake: true })).toEqual([made]);
  expect(parseKey(await readFile(file, 'utf8'))).toEqual(made);
  expect(await readdir(folder)).toEqual(['parley.db.key']);
});

test('processes that start together agree on one key', async () => {
  const file = join(await temporaryFolder(), 'parley.db.key');
  const program = `import { readKeyFile } from './server/security/secrets/encryption-keys.ts'; console.log(Buffer.from(readKeyFile(process.argv[1], { mayMake: true })[0]).toString('hex'))`;
  const runs = Array.from({ length: 6 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, file]),
  );
  const keys = new Set((await Promise.all(runs)).map(({ stdout }) => stdout));
  expect(keys.size).toBe(1);
});

test('reports a key file without a valid key, and neither prints nor changes its content', async () => {
  const file = join(await temporaryFolder(), 'parley.db.key');
  await writeFile(file, 'hunter2');
  expect(() => readKeyFile(file, { mayMake: true })).toThrow(
    `${file} must contain the encryption key: 32 bytes in base64`,
  );
  expect(() => readKeyFile(file, { mayMake: true })).not.toThrow('hunter2');
  await chmod(file, 0o600);
  expect(await readFile(file, 'utf8')).toBe('hunter2');
});

test('after a rotation, secrets sealed with the previous key open while both keys are configured', () => {
  const [before, now] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const old = createSecrets(before).seal('x', 'place');
  const both = createSecrets(now, before);
  expect(both.open(old, 'place')).toBe('x');
  expect([both.isCurrent(old), both.isCurrent(both.seal('x', 'place'))]).toEqual([false, true]);
  expect(() => createSecrets(now).open(old, 'place')).toThrow('a key that is not configured');
  const text = [now, before].map((key) => key.toString('base64'));
  expect(parseKeys(text.join(','))).toEqual([now, before]);
  expect(parseKeys(`${text.join('\n')}\n`)).toEqual([now, before]);
  expect(parseKeys(`${text[0]},short`)).toBeUndefined();
});
