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

/**
 * The migrations that led to the schema of version 1.6.0. The migration with the last of their names now creates that
 * schema, and the others do nothing. All names are still recorded, so older versions can use newer databases.
 */
export const replacedMigrations = [
  '0001-first-schema',
  '0002-whole-service',
  '0003-deliveries',
  '0004-expand-rate-buckets',
  '0005-expand-creation-spans',
  '0006-expand-erasure',
  '0007-expand-webhook-tokens',
  '0008-expand-erasures',
  '0009-expand-traceparent',
  '0010-expand-audit-records',
  '0011-expand-rate-limits',
];

/** Says that a database is older than the first schema of this version, or undefined. @param applied recorded names */
export const tooOld = (applied: readonly string[]): string | undefined =>
  applied.length === 0 || applied.includes('0012-expand-usage-counts')
    ? undefined
    : 'a version of Parley before 1.6.0 has created it. Start version 1.6.0 once, which migrates it.';
