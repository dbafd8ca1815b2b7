/*
 * During an upgrade, two versions of Parley use one database. An expand migration (`0004-expand-…`) only adds what
 * older versions can ignore. A contract migration (`0007-contract-0005-…`) drops what is no longer used by any version
 * that includes migration 0005. So the name of a migration tells older versions whether they can still use the
 * database.
 */
const additive = /^\d{4}-expand-./;
const removing = /^\d{4}-contract-(\d{4})-./;

/**
 * Whether a version of Parley can use a database after a migration that this version does not know.
 * @param known the migrations that the version knows, in order
 */
export function isCompatibleAfter(step: string, known: readonly string[]): boolean {
  if (additive.test(step)) return true;
  const needed = removing.exec(step)?.[1];
  return needed !== undefined && needed <= (known.at(-1) ?? '').slice(0, needed.length);
}
