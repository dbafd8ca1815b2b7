/*
 * During an upgrade, two versions of Parley use one database. A migration either adds what older versions can ignore
 * (`0004-expand-…`), or drops what no version that has a given migration uses (`0007-contract-0005-…`: versions that
 * have 0005). The name tells older versions whether they can still use the database.
 */
const additive = /^\d{4}-expand-./;
const removing = /^\d{4}-contract-(\d{4})-./;

/**
 * Whether a version can use a database after a migration that it does not know.
 * @param known its own migrations, in order
 */
export function isCompatibleAfter(step: string, known: readonly string[]): boolean {
  if (additive.test(step)) return true;
  const needed = removing.exec(step)?.[1];
  return needed !== undefined && needed <= (known.at(-1) ?? '').slice(0, needed.length);
}
