/*
 * Programs of two versions work on one database while one is replaced by the other, so a step of the schema either
 * adds what older programs need not know (`0004-expand-…`), or takes away what none uses any more that knows a
 * certain step (`0007-contract-0005-…`: those that know 0005). What it is, its name says, to older programs, too.
 */
const additive = /^\d{4}-expand-./;
const removing = /^\d{4}-contract-(\d{4})-./;

/**
 * Whether a program can work on a database that a step has changed which it does not know.
 * @param known the steps that it knows, in their order
 */
export function isCompatibleAfter(step: string, known: readonly string[]): boolean {
  if (additive.test(step)) return true;
  const needed = removing.exec(step)?.[1];
  return needed !== undefined && needed <= (known.at(-1) ?? '').slice(0, needed.length);
}
