import { data } from 'currency-codes';

/** Currencies newer than the package's list (ISO 4217 amendment 176: Caribbean guilder). */
const since = { XCG: 2 };

const decimals = new Map<string, number>([
  ...data.map(({ code, digits }): [string, number] => [code, digits]),
  ...Object.entries(since),
]);

/** Returns the number of decimals of a currency, or undefined if it does not exist. */
export const currencyDecimals = (code: string): number | undefined => decimals.get(code);
