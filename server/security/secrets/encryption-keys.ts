import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage } from '../../lib/error-message.ts';
import { keyLength } from './encryption.ts';

/** Parses a key: 32 bytes in base64. */
export function parseKey(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  return key.length === keyLength && key.toString('base64') === trimmed ? key : undefined;
}

/**
 * Parses keys separated by white space or commas.
 * @returns undefined if there is no key, or if any key is invalid
 */
export function parseKeys(text: string): EncryptionKeys | undefined {
  const [first, ...others] = text
    .trim()
    .split(/[\s,]+/)
    .map(parseKey);
  const known = others.filter((key) => key !== undefined);
  return first && known.length === others.length ? [first, ...known] : undefined;
}

/** The first key encrypts; all keys decrypt. */
export type EncryptionKeys = readonly [Uint8Array, ...Uint8Array[]];

/**
 * Reads the keys from a file. If the file is missing, creates it with a new key, readable only by its owner.
 * @param mayMake whether the file may be created: false if other machines need the same key
 * @param hasSecrets whether encrypted data exists, which needs the key of the missing file
 * @throws Error if the file cannot be read or created, is missing, or has no valid key
 */
export function readKeyFile(
  file: string,
  { mayMake, hasSecrets = false }: { mayMake: boolean; hasSecrets?: boolean },
): EncryptionKeys {
  const text = naming(() => readFileIfThere(file));
  if (text === undefined && hasSecrets)
    throw new Error(
      `The encryption key ${file} is missing, but the database has secrets. Restore the file, or set PARLEY_SECRET_KEY.`,
    );
  if (text === undefined && !mayMake)
    throw new Error(
      'There is no encryption key yet. All processes on PostgreSQL need the same one: set PARLEY_SECRET_KEY to the output of openssl rand -base64 32.',
    );
  const keys = parseKeys(text ?? naming(() => makeKeyFile(file)));
  if (!keys)
    throw new Error(
      `${file} must contain the encryption key: ${keyLength} bytes in base64, or two such lines during a rotation.`,
    );
  return keys;
}

/**
 * Creates a key file and returns its content. If several processes do so at the same time, all of them return the key
 * of the first one, because a link is created atomically.
 */
function makeKeyFile(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${randomBytes(keyLength).toString('base64')}\n`);
    fsyncSync(handle);
    chmodSync(draft, 0o600);
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    closeSync(handle);
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}

function readFileIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Adds the name of the setting to an error. */
function naming<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const why = `The key file cannot be used. ${errorMessage(cause)}`;
    throw new Error(`${why} Its path is set with PARLEY_SECRET_KEY=file:PATH.`, { cause });
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
