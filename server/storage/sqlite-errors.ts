import { StoreUnavailable, UniqueViolation } from './store.ts';

// https://sqlite.org/rescode.html
const codes = { busy: 5, locked: 6, readonly: 8, ioError: 10, full: 13, cannotOpen: 14 };
const uniqueCodes = [1555, 2067];

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/** Another program holds the lock. The low byte of a code says what happened, the rest which kind of it. */
export const isLocked = (error: unknown): boolean =>
  [codes.busy, codes.locked].includes(codeOf(error) & 0xff);

/** SQLite's error in the words of the store, where the store has one for it. */
export function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (uniqueCodes.includes(code)) return new UniqueViolation('A unique value is taken.', { cause: error });
  if (Object.values(codes).includes(code & 0xff))
    return new StoreUnavailable('The database cannot be used at the moment.', { cause: error });
  return error;
}
