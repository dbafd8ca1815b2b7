import { errorMessage } from '../../lib/error-message.ts';
import { StoreCorrupted, StoreUnavailable, UniqueViolation } from '../store.ts';

// https://sqlite.org/rescode.html
const codes = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
};
const unavailable = [codes.busy, codes.locked, codes.readonly, codes.ioError, codes.full, codes.cannotOpen];
const corrupted = [codes.corrupt, codes.notADatabase];
const uniqueCodes = [1555, 2067];

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/** Whether another process holds the lock. The low byte of a code is the error, the rest is its variant. */
export const isLocked = (error: unknown): boolean =>
  [codes.busy, codes.locked].includes(codeOf(error) & 0xff);

/** The cause of each error code, usually with a remedy. */
const advice: Record<number, string> = {
  [codes.busy]: 'another process keeps it locked. Stop that process, or wait for it.',
  [codes.locked]: 'another process keeps it locked. Stop that process, or wait for it.',
  [codes.readonly]: 'it or its folder is not writable. Give write permission to the user who runs Parley.',
  [codes.ioError]: 'the disk failed (disk I/O error). Is it full or defective?',
  [codes.corrupt]: 'it is corrupted. Restore a backup.',
  [codes.full]: 'the disk is full.',
  [codes.cannotOpen]: 'it or its folder cannot be opened. Is it a file that Parley may read and write?',
  [codes.notADatabase]: 'it is not an SQLite database.',
};

/** Describes why a file cannot be used as a database. */
export function describeOpenError(error: unknown): string {
  const chain = [];
  for (let each = error; each instanceof Error; each = each.cause) chain.push(each);
  for (const each of chain) {
    const known = advice[codeOf(each) & 0xff];
    if (known !== undefined) return known;
  }
  const words = errorMessage(chain.at(-1) ?? error);
  return words.endsWith('.') ? words : `${words}.`;
}

/** Whether an error or its cause reports corruption. */
export function isCorruption(error: unknown): boolean {
  if (corrupted.includes(codeOf(error) & 0xff)) return true;
  return error instanceof Error && error.cause !== undefined && isCorruption(error.cause);
}

/**
 * Whether an integrity check failed because of the file's contents. SQLite reports a corrupted schema as a syntax
 * error. Errors due to a lack of memory or to locks do not concern the file.
 */
export function isFileError(error: unknown): boolean {
  const code = codeOf(error) & 0xff;
  return code !== 0 && code !== codes.noMemory && !unavailable.includes(code);
}

/** Converts an SQLite error to the matching error of the store. Other errors are returned unchanged. */
export function sqliteToStoreError(error: unknown): unknown {
  const code = codeOf(error);
  if (uniqueCodes.includes(code))
    return new UniqueViolation('A unique value exists already.', { cause: error });
  if (corrupted.includes(code & 0xff))
    return new StoreCorrupted('The database is corrupted.', { cause: error });
  if (unavailable.includes(code & 0xff))
    return new StoreUnavailable('The database is unavailable.', { cause: error });
  return error;
}
