/*
 * During an upgrade two versions use one database. A migration either adds what older versions need not know
 * (`0004-expand-…`), or drops what no version uses that has a certain migration (`0007-contract-0005-…`: versions
 * that have 0005). Its name tells older versions which.
 */
const additive = /^\d{4}-expand-./;
const removing = /^\d{4}-contract-(\d{4})-./;

/**
 * Whether a program can use a database after a migration that it does not have.
 * @param known its own migrations, in order
 */
export function isCompatibleAfter(step: string, known: readonly string[]): boolean {
  if (additive.test(step)) return true;
  const needed = removing.exec(step)?.[1];
  return needed !== undefined && needed <= (known.at(-1) ?? '').slice(0, needed.length);
}
